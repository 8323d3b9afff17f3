declare const brand: unique symbol;

/** A primitive that only its parser makes: two ids of the same shape can then never be swapped unnoticed. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
