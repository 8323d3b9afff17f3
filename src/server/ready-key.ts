import type { IncomingMessage } from 'node:http';
import { isLocal } from './client-address.ts';

/**
 * The sandbox's ready key, for a browser on this machine that asked for this machine; null for everybody else. The one
 * place that decides it: for GraphiQL's headers, for the console's sign-in, and for who may steer the sandbox.
 */
export function readyKeyFor(request: IncomingMessage, sandboxKey: string | null): string | null {
  return isLocal(request) ? sandboxKey : null;
}
