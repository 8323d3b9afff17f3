import type { CallerName } from './ids.ts';

export const scopes = ['BUYER', 'SUPPLIER', 'OPERATOR'] as const;
export type Scope = (typeof scopes)[number];

/**
 * Whose rows a question may touch. Stores take it with every read, so that no resolver can forget the filter:
 * another caller's row is as if it did not exist. An operator sees all, orders made elsewhere included.
 */
export type Visibility = { readonly kind: 'own'; readonly caller: CallerName } | { readonly kind: 'all' };

/** OPERATOR includes BUYER and SUPPLIER. */
export function allows(held: readonly Scope[], needed: Scope): boolean {
  return held.includes(needed) || held.includes('OPERATOR');
}

export function visibilityOf(caller: CallerName, held: readonly Scope[]): Visibility {
  return held.includes('OPERATOR') ? { kind: 'all' } : { kind: 'own', caller };
}
