import { visibilityOf } from '../domain/access.ts';
import type { Deps } from '../flows/deps.ts';
import type { Caller, Cursors, GraphContext } from '../schema/context.ts';
import { createLoaders } from './loaders.ts';

export interface GraphRequest {
  readonly caller: Caller;
  readonly requestId: string;
  /** As the client sent them. */
  readonly rawVariables: Readonly<Record<string, unknown>> | null;
  /** Aborts when the client is gone; null where the transport cannot tell. */
  readonly signal: AbortSignal | null;
}

/** The context of one operation. `cursors` is made once, by `createCursors` of the store's secret. */
export function createContext(deps: Deps, cursors: Cursors, request: GraphRequest): GraphContext {
  const { caller, requestId, rawVariables, signal } = request;
  const visibility = visibilityOf(caller.name, caller.scopes);
  // Written out, not spread: there is one for each request, and an object of one shape is several times as quick to make.
  return {
    caller,
    by: { kind: 'caller', caller: caller.name, keyId: caller.keyId, requestId },
    visibility,
    deps,
    requestId,
    cursors,
    loaders: createLoaders(deps.store, visibility),
    rawVariables,
    signal,
    onCatalogPage: null,
  };
}
