import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  type Source,
} from 'graphql';
import { createYoga, type GraphQLParams, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import { SECOND } from '../domain/time.ts';
import type { GraphContext } from '../schema/context.ts';
import type { Principal } from './auth.ts';
import { createCompiledDocuments } from './compiled-documents.ts';
import { type ErrorScene, presentResult, presentThrown, withoutSuggestions } from './errors.ts';
import { type GovernedStream, governStream } from './governed-stream.ts';
import { type DocumentLimits, parseWithin, refuseDocument } from './limits.ts';
import type { ServerMetrics } from './prometheus.ts';
import type { QuickOutcome } from './quick-outcome.ts';
import type { SocketSlots, StreamSlots } from './stream-slots.ts';

/** One operation: who asks, by which way, and what the request is called in the log. */
export interface OperationScene extends ErrorScene {
  readonly principal: Principal;
  readonly params: GraphQLParams;
  /** The places of the WebSocket it came by; null over HTTP. */
  readonly socket: SocketSlots | null;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** What the quick way has executed: Yoga presents it. */
  readonly executed?: ExecutionResult;
  /** Handed the stream of a subscription as soon as there is one. */
  onStream(stream: GovernedStream): void;
}

export interface Yoga extends YogaServerInstance<OperationScene, GraphContext> {
  /**
   * Executes a query or mutation that is often asked, compiled and past Yoga: its pipeline costs twenty times what
   * the execution of a small query does. Null: Yoga is to answer.
   */
  quick(scene: OperationScene): QuickOutcome | Promise<QuickOutcome> | null;
}

type ScenePlugin = Plugin<OperationScene & GraphContext, OperationScene>;

/** The graph behind every transport: the same limits, masks and stream places over HTTP, SSE and WebSocket. */
export function createGraphQL(deps: {
  readonly schema: GraphQLSchema;
  readonly contextOf: (scene: OperationScene) => GraphContext;
  readonly slots: StreamSlots;
  readonly metrics: ServerMetrics;
  readonly limits: DocumentLimits;
  readonly introspection: boolean;
}): Yoga {
  const compiled = createCompiledDocuments(deps);
  const yoga = createYoga<OperationScene, GraphContext>({
    schema: deps.schema,
    context: deps.contextOf,
    plugins: [
      requestParser,
      boundedDocuments(deps),
      ...(deps.introspection ? [] : [closedSchema]),
      governedSubscriptions(deps),
      presentableErrors,
      executedBefore,
    ],
    // The edge does these: limits, allow-lists and pages are the same for what is no GraphQL.
    maxRequestBodySize: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    healthCheckEndpoint: '/never',
    multipart: false,
    batching: false,
    // Every error passes by presentErrors, which knows the request; Yoga's own mask does not.
    maskedErrors: false,
    logging: false,
  });
  return Object.assign(yoga, {
    quick(scene: OperationScene): ReturnType<Yoga['quick']> {
      const run = compiled.find(scene.params);
      return run === null ? null : run(deps.contextOf(scene), scene.params.variables ?? {});
    },
  });
}

const executedBefore: ScenePlugin = {
  onExecute({ args, setResultAndStopExecution }) {
    const { executed }: OperationScene = args.contextValue;
    if (executed !== undefined) setResultAndStopExecution(executed);
  },
};

/** The edge has parsed the request: Yoga's own parsers take forms, and throw JSON's texts at the client. */
const requestParser: ScenePlugin = {
  onRequestParse({ setRequestParser, serverContext }) {
    setRequestParser(() => serverContext.params);
  },
};

const presentableErrors: ScenePlugin = {
  onResultProcess({ result, setResult, serverContext }) {
    // Streams were made presentable where they began; results are never lists, as there is no batching.
    if (isResult(result)) setResult(presentResult(result, serverContext));
  },
};

function boundedDocuments(deps: {
  readonly schema: GraphQLSchema;
  readonly metrics: ServerMetrics;
  readonly limits: DocumentLimits;
}): ScenePlugin {
  const { limits } = deps;
  const judged = new WeakMap<DocumentNode, GraphQLError | null>();
  const judge = (document: DocumentNode): GraphQLError | null => {
    const known = judged.get(document);
    if (known !== undefined) return known;
    const refusal = refuseDocument(deps.schema, document, limits);
    judged.set(document, refusal);
    return refusal;
  };
  return {
    onParse({ setParseFn }) {
      setParseFn((source: string | Source) => parseWithin(source, limits.tokens));
    },
    onValidate({ params, setResult }) {
      // Before validation: some of its rules take time quadratic in the document.
      const refusal = judge(params.documentAST);
      if (refusal !== null) {
        deps.metrics.refused('too-complex');
        setResult([refusal]);
        return undefined;
      }
      return undefined;
    },
  };
}

/** With introspection off the schema is not told by other ways either: graphql guesses names in its errors. */
const closedSchema: ScenePlugin = {
  onValidate({ addValidationRule }) {
    addValidationRule(NoSchemaIntrospectionCustomRule);
    return ({ result, setResult }) => setResult(result.map(unguessed));
  },
  onExecute: () => ({
    onExecuteDone: ({ result, setResult }) => {
      if (isResult(result) && result.errors !== undefined)
        setResult({ ...result, errors: result.errors.map(unguessed) });
    },
  }),
  onSubscribe: () => ({
    onSubscribeResult: ({ result, setResult }) => {
      if (isResult(result) && result.errors !== undefined)
        setResult({ ...result, errors: result.errors.map(unguessed) });
    },
  }),
};

function unguessed<Problem extends Error>(error: Problem): Problem | GraphQLError {
  return error instanceof GraphQLError ? withoutSuggestions(error) : error;
}

function governedSubscriptions(deps: {
  readonly slots: StreamSlots;
  readonly metrics: ServerMetrics;
}): ScenePlugin {
  return {
    onSubscribe({ args, subscribeFn, setSubscribeFn, setResultAndStopExecution }) {
      const scene: OperationScene = args.contextValue;
      const giveBack = deps.slots.take(scene.principal, scene.socket);
      if (giveBack === null) {
        deps.metrics.refused('streams');
        setResultAndStopExecution({ errors: [tooManyStreams()] });
        return;
      }
      setSubscribeFn(async (...given: Parameters<typeof subscribeFn>) => {
        try {
          const result: unknown = await subscribeFn(...given);
          if (!isStream(result)) {
            giveBack();
            return result;
          }
          const stream = governStream(result, {
            present: (value) => presentResult(value, scene),
            failed: (error) => ({ errors: [presentThrown(error, scene)] }),
          });
          stream.onEnd(giveBack);
          scene.onStream(stream);
          return stream;
        } catch (error) {
          giveBack();
          throw error;
        }
      });
    },
  };
}

function tooManyStreams(): GraphQLError {
  return new GraphQLError('Too many subscriptions are open on this socket or key. End some first.', {
    extensions: { code: 'RATE_LIMITED', retryAfterMs: SECOND },
  });
}

export function isStream(value: unknown): value is AsyncIterable<ExecutionResult> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

export function isResult(value: unknown): value is ExecutionResult {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isStream(value);
}
