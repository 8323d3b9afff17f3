import type { ExecutionResult } from 'graphql';
import type { Catalog } from '../domain/catalog/catalog.ts';
import type { GraphContext } from '../schema/context.ts';

export type Values = Readonly<Record<string, unknown>>;

/** Runs a compiled document. Null: its variables do not fit, and nothing was executed. */
export type Execute = (
  context: GraphContext,
  variables: Values,
) => ExecutionResult | null | Promise<ExecutionResult | null>;

/** What the quick way came to. */
export type QuickOutcome =
  /** Whole and without errors: the answer's body. `basis`: the catalog, where the body says nothing but what that does, to anybody. */
  | { readonly kind: 'text'; readonly text: string; readonly basis: Catalog | null }
  /** Executed, with errors: to be presented by Yoga, which must not execute it again. */
  | { readonly kind: 'errors'; readonly result: ExecutionResult }
  /** Nothing was executed. */
  | { readonly kind: 'not-run' };

export function outcomeOf(result: ExecutionResult | null): QuickOutcome {
  if (result === null) return { kind: 'not-run' };
  if (result.errors !== undefined) return { kind: 'errors', result };
  return { kind: 'text', text: JSON.stringify({ data: result.data }), basis: null };
}
