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
  const visibility = visibilityOf(request.caller.name, request.caller.scopes);
  const { caller, requestId } = request;
  const by = { kind: 'caller', caller: caller.name, keyId: caller.keyId, requestId } as const;
  return { ...request, by, visibility, deps, cursors, loaders: createLoaders(deps.store, visibility) };
}
