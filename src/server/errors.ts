import { type ExecutionResult, GraphQLError, type GraphQLErrorOptions } from 'graphql';
import type { Log } from '../ports/log.ts';
import { codedError } from '../resolvers/coded-error.ts';

/** What it takes to show an error to its caller. */
export interface ErrorScene {
  readonly requestId: string;
  readonly log: Log;
}

/** Extensions of ours that a client may see, and `http`, which Yoga takes for the status and takes out. */
const HIDDEN_EXTENSIONS: ReadonlySet<string> = new Set(['originalError', 'unexpected']);

/**
 * Refusals of ours have one status whatever is accepted. An error of the request has 200 where application/json is, as
 * the specification has it for clients of old; `spec: true` says so to Yoga, which puts that on all it did not make itself.
 */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['QUERY_TOO_COMPLEX', 400],
  ['RATE_LIMITED', 429],
]);

const OF_THE_REQUEST = { status: 400, spec: true };

/**
 * Makes errors fit to be shown. An error with a code was meant for the caller; one of graphql's own about the request
 * gets its code; all else is a bug of ours, logged with the request id and masked, whatever NODE_ENV says.
 */
export function presentErrors(errors: readonly GraphQLError[], scene: ErrorScene): GraphQLError[] {
  return errors.map((error) => presentError(error, scene));
}

export function presentResult<Result extends ExecutionResult>(result: Result, scene: ErrorScene): Result {
  if (result.errors === undefined || result.errors.length === 0) return result;
  return { ...result, errors: presentErrors(result.errors, scene) };
}

/** Of anything thrown. */
export function presentThrown(thrown: unknown, scene: ErrorScene): GraphQLError {
  if (thrown instanceof GraphQLError) return presentError(thrown, scene);
  const cause = thrown instanceof Error ? thrown : new Error('a thrown value that is no Error');
  return presentError(new GraphQLError(cause.message, { originalError: cause }), scene);
}

function presentError(given: GraphQLError, scene: ErrorScene): GraphQLError {
  const bug = bugBehind(given);
  if (bug !== null) return masked(given, bug, scene);
  const error = codedError(given);
  const code = error.extensions['code'];
  if (typeof code === 'string') {
    const extensions = Object.entries(error.extensions).filter(([name]) => !HIDDEN_EXTENSIONS.has(name));
    const status = STATUSES.get(code);
    return shown(error, {
      ...Object.fromEntries(extensions),
      ...(code === 'BAD_USER_INPUT' &&
        error.path === undefined && { http: error.extensions['http'] ?? OF_THE_REQUEST }),
      ...(status !== undefined && { http: { status } }),
    });
  }
  return masked(error, error, scene);
}

/** Whatever lies at the bottom and is no GraphQLError was not meant for the caller, though Yoga may have given it a code. */
function bugBehind(error: GraphQLError): Error | null {
  let at: Error | undefined = error;
  while (at instanceof GraphQLError && at.originalError !== undefined) at = at.originalError;
  if (!(at instanceof GraphQLError)) return at;
  return error.extensions['unexpected'] === true ? error : null;
}

function shown(error: GraphQLError, extensions: Record<string, unknown>): GraphQLError {
  return new GraphQLError(error.message, { ...placeOf(error), extensions });
}

function masked(error: GraphQLError, bug: Error, { requestId, log }: ErrorScene): GraphQLError {
  log.error('a request met an unexpected error', { path: error.path?.join('.').slice(0, 200) }, bug);
  return new GraphQLError('Something went wrong here. The request id finds it in the log.', {
    ...placeOf(error),
    // Without data the request itself failed: Yoga answers 500.
    extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
  });
}

/** graphql's guesses at what was meant tell the schema to whoever may not ask for it. */
export function withoutSuggestions(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ ?Did you mean .*\?$/s, '');
  if (message === error.message) return error;
  const { originalError = null, extensions } = error;
  return new GraphQLError(message, { ...placeOf(error), originalError, extensions });
}

/** What its `locations` and `path` are made from. */
function placeOf(error: GraphQLError): GraphQLErrorOptions {
  const { nodes, source, positions, path } = error;
  return { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
}
