import { setMaxListeners } from 'node:events';
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  getOperationAST,
} from 'graphql';
import { CloseCode, makeServer, type SubscribePayload } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { SECOND } from '../domain/time.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import { type Authenticator, keyOfParameters, type Principal } from './auth.ts';
import { presentErrors, presentThrown } from './errors.ts';
import { isResult, isStream, type OperationScene, type Yoga } from './graphql.ts';
import type { KeyWatch } from './key-watch.ts';
import type { ServerMetrics } from './prometheus.ts';
import type { RateLimit } from './rate-limit.ts';
import { RequestLog } from './request-log.ts';
import type { SocketPace } from './socket-pace.ts';
import type { SocketSlots } from './stream-slots.ts';
import type { TrustedDocuments } from './trusted-documents.ts';
import type { SocketProtocol } from './websocket.ts';

const INIT_TIMEOUT = 3 * SECOND;
/** "Try again later": clients of graphql-ws reconnect after it, and never after 4500. */
const TRY_AGAIN_LATER = 1013;

/** What is known of one socket. */
interface SocketState {
  readonly slots: SocketSlots;
  readonly gone: AbortController;
  readonly pace: SocketPace;
  principal: Principal | null;
  unwatch: () => void;
}

interface SocketScene extends OperationScene {
  readonly pace: SocketPace;
}

interface Deps {
  readonly yoga: Yoga;
  readonly auth: Authenticator;
  readonly watch: KeyWatch;
  readonly rate: RateLimit;
  readonly trusted: TrustedDocuments;
  readonly metrics: ServerMetrics;
  readonly random: Random;
  readonly log: Log;
}

/**
 * graphql-transport-ws. The library's own binding to ws closes a socket for one bad operation and puts exception texts
 * into close reasons; here what goes wrong in one operation is that operation's error, and texts go to the log.
 */
export function createWebSocketProtocol(deps: Deps): SocketProtocol {
  const { yoga, auth, watch, metrics, random, log } = deps;
  const enveloped = yoga.getEnveloped({});
  // By an operation's payload and by its context: the library's hooks are given the one or the other.
  const scenes = new WeakMap<object, SocketScene>();
  const sceneOf = (key: unknown): SocketScene => {
    const scene = typeof key === 'object' && key !== null ? scenes.get(key) : undefined;
    if (scene === undefined) throw new Error('an operation without a scene');
    return scene;
  };

  const server = makeServer<
    Record<string, unknown>,
    { readonly socket: WebSocket; readonly state: SocketState }
  >({
    connectionInitWaitTimeout: INIT_TIMEOUT,
    execute: (args) => guarded(() => enveloped.execute(args), sceneOf(args.contextValue)),
    subscribe: (args) => guarded(() => enveloped.subscribe(args), sceneOf(args.contextValue)),
    async onConnect({ connectionParams, extra: { socket, state } }) {
      const principal = await auth.authenticate(keyOfParameters(connectionParams));
      if (principal === null) {
        metrics.refused('unauthenticated');
        return false;
      }
      state.principal = principal;
      state.unwatch = watch.watch(principal, () => socket.close(CloseCode.Forbidden, 'Forbidden'));
      return true;
    },
    async onSubscribe({ extra: { state } }, _id, payload) {
      const scene = openScene(payload, state);
      scenes.set(payload, scene);
      scene.pace.begun();
      const prepared = await prepare(scene, payload).catch((error: unknown) => [presentThrown(error, scene)]);
      // Else what executes it says when it is over.
      if (!('schema' in prepared)) scene.pace.ended();
      return prepared;
    },
    onNext: (_context, _id, payload, _args, { errors, data, extensions }) => ({
      ...(errors !== undefined && { errors: presentErrors(errors, sceneOf(payload)).map(formatError) }),
      ...(data !== undefined && { data }),
      ...(extensions !== undefined && { extensions }),
    }),
    onError: (_context, _id, payload, errors) => presentErrors(errors, sceneOf(payload)).map(formatError),
    onClose({ extra: { state } }) {
      state.unwatch();
      state.gone.abort();
    },
  });

  const openScene = (payload: SubscribePayload, state: SocketState): SocketScene => {
    // Acknowledged sockets have one: subscribing before that is closed with 4401.
    if (state.principal === null) throw new Error('an operation came on a socket without a caller');
    const requestId = random.token();
    return {
      principal: state.principal,
      requestId,
      log: new RequestLog(log, requestId),
      params: {
        query: payload.query,
        ...(payload.operationName != null && { operationName: payload.operationName }),
        ...(payload.variables != null && { variables: payload.variables }),
        ...(payload.extensions != null && { extensions: payload.extensions }),
      },
      socket: state.slots,
      signal: state.gone.signal,
      // The socket's own end takes its streams with it.
      onStream: () => undefined,
      pace: state.pace,
    };
  };

  const prepare = async (
    scene: SocketScene,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> => {
    const wait = deps.rate.take(scene.principal.keyHash);
    if (wait !== null) {
      metrics.refused('rate');
      return [rateLimited(wait)];
    }
    const asked = deps.trusted.resolve(scene.params);
    if (asked.kind === 'refused') {
      metrics.refused('untrusted');
      return [forbidden(asked.message)];
    }
    const { schema, parse, validate, contextFactory } = yoga.getEnveloped({ ...scene });
    const document = parse(asked.params.query ?? '');
    const problems = validate(schema, document);
    if (problems.length > 0) return presentErrors(problems, scene);
    if (getOperationAST(document, payload.operationName) == null) return [noOperation()];
    const contextValue = await contextFactory();
    scenes.set(contextValue, scene);
    const { operationName, variables } = payload;
    return { schema, document, operationName, variableValues: variables, contextValue };
  };

  return {
    opened(socket, pace) {
      const state: SocketState = {
        slots: { open: 0 },
        pace,
        gone: abortForMany(),
        principal: null,
        unwatch: () => undefined,
      };
      const closed = server.opened(
        {
          protocol: socket.protocol,
          send: (data) =>
            new Promise((resolve) => {
              if (socket.readyState !== socket.OPEN) return resolve();
              // Its stream goes on when the bytes are out: a client that does not read holds up its own alone.
              socket.send(data, () => resolve());
            }),
          close: (code, reason) => socket.close(code, reason),
          onMessage: (callback) => {
            socket.on('message', (data, isBinary) => {
              // Told to go, it may still ask: a revoked key would buy until the socket is cut off.
              if (socket.readyState !== socket.OPEN) return;
              if (isBinary) {
                socket.close(CloseCode.BadRequest, 'Messages are text');
                return;
              }
              callback(String(data)).catch((error: unknown) => {
                if (isUnexpectedMessage(error)) {
                  socket.close(CloseCode.BadRequest, 'Invalid message received');
                  return;
                }
                log.error('a WebSocket message could not be worked on', {}, error);
                socket.close(TRY_AGAIN_LATER, 'Try again later');
              });
            });
          },
        },
        { socket, state },
      );
      socket.once('close', (code, reason) => {
        closed(code, String(reason)).catch((error: unknown) => {
          log.error('a WebSocket was not cleaned up', {}, error);
        });
      });
    },
  };
}

/** What is thrown around an operation is its own error, and no reason to close the socket. A stream is over where it has begun. */
async function guarded(
  run: () => unknown,
  scene: SocketScene,
): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
  try {
    const result = await run();
    if (isStream(result) || isResult(result)) return result;
    throw new Error('an operation came to no result');
  } catch (error) {
    return { errors: [presentThrown(error, scene)] };
  } finally {
    scene.pace.ended();
  }
}

/** Of a known type, but one that only servers send: the library throws for it, where it closes for an unknown one. */
function isUnexpectedMessage(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Unexpected message of type');
}

function formatError(error: GraphQLError): GraphQLFormattedError {
  // The status is Yoga's to take out over HTTP, and ours here.
  const { http, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions };
}

function rateLimited(retryAfterMs: number): GraphQLError {
  return new GraphQLError('This key asks more often than it may.', {
    extensions: { code: 'RATE_LIMITED', retryAfterMs },
  });
}

function forbidden(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'FORBIDDEN' } });
}

function noOperation(): GraphQLError {
  return new GraphQLError('The document has no operation of that name, or several and none was named.', {
    extensions: { code: 'BAD_USER_INPUT' },
  });
}

/** Each stream of a socket listens to its end: a thousand are no leak, and Node need not warn of the eleventh. */
function abortForMany(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
