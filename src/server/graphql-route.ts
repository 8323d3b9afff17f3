import type { ExecutionResult } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import { allows } from '../domain/access.ts';
import { SECOND } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import { type Authenticator, keyOfRequest, type Principal } from './auth.ts';
import type { CatalogAnswers } from './catalog-answers.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { presentThrown } from './errors.ts';
import { answer, answerWithOthers, type Exchange, type Route, refuse } from './exchange.ts';
import type { GovernedStream } from './governed-stream.ts';
import type { GraphiqlPage } from './graphiql.ts';
import type { OperationScene, Yoga } from './graphql.ts';
import { contentKindOf, paramsOfBody, paramsOfQuery } from './graphql-params.ts';
import type { LiveStreams } from './live-streams.ts';
import type { ServerMetrics } from './prometheus.ts';
import type { QuickOutcome } from './quick-outcome.ts';
import type { RateLimit } from './rate-limit.ts';
import { type BodyLimits, readBody } from './read-body.ts';
import { isEventStream, sendResponse } from './send-response.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/** Queries are short. Deliveries carry whole files of lines, and only keys of the supplier side send them. */
const BODY_BYTES = 256 * 1024;
const SUPPLIER_BODY_BYTES = 16 * 1024 * 1024;
/** How much longer one of those may take to arrive. */
const SUPPLIER_PATIENCE = 6;
const STALLED_AFTER = 30 * SECOND;

export interface GraphQLRouteDeps {
  readonly yoga: Yoga;
  readonly auth: Authenticator;
  readonly rate: RateLimit;
  readonly trusted: TrustedDocuments;
  readonly streams: LiveStreams;
  readonly answers: CatalogAnswers;
  readonly metrics: ServerMetrics;
  readonly clock: Clock;
  readonly corsOrigins: readonly string[];
  /** Null where GraphiQL is off. */
  readonly graphiql: GraphiqlPage | null;
  /** How long a body may take to arrive; one of the supplier side six times as long. */
  readonly bodyMilliseconds: number;
}

/** Null: nothing was executed. Errors are Yoga's to present. */
type Quick = 'answered' | ExecutionResult | null;

interface Question {
  readonly params: GraphQLParams;
  /** The body as it came, where its answer may be one for everybody who may buy. */
  readonly question: Buffer | null;
}

/** GraphQL over HTTP and SSE. Who asks is known before a byte of the body is read. */
export function graphqlRoute(deps: GraphQLRouteDeps): Route {
  const { yoga, auth, rate, metrics, clock, graphiql, answers } = deps;

  const run = async (
    exchange: Exchange,
    principal: Principal,
    { params, question }: Question,
    cors: Record<string, string>,
  ): Promise<void> => {
    const trial = runQuickly(exchange, principal, { params, question }, cors);
    const quick = trial instanceof Promise ? await trial : trial;
    if (quick === 'answered') return;
    const gone = new AbortController();
    let stream: GovernedStream | null = null;
    exchange.response.once('close', () => {
      if (!exchange.response.writableFinished) gone.abort();
    });
    const scene: OperationScene = {
      principal,
      params,
      requestId: exchange.requestId,
      log: exchange.log,
      socket: null,
      signal: gone.signal,
      ...(quick !== null && { executed: quick }),
      onStream(opened) {
        stream = opened;
        deps.streams.add(principal, opened);
      },
    };
    // The body is parsed already: Yoga needs the method for its rule on mutations, and what is accepted.
    const request = new yoga.fetchAPI.Request('http://gateway/graphql', {
      method: exchange.method,
      headers: { accept: exchange.request.headers.accept ?? '*/*' },
    });
    const answered = await yoga.fetch(request, scene);
    if (!isEventStream(answered)) endStream(stream);
    if (answered.status === 406) {
      const message = 'Accept application/json, or text/event-stream for a subscription.';
      refuse(exchange, 406, { code: 'BAD_USER_INPUT', message }, cors);
      return;
    }
    await sendResponse(exchange, answered, cors, clock, {
      milliseconds: STALLED_AFTER,
      onStall: () => metrics.refused('stalled'),
    });
  };

  /** The compiled way, for what is asked often. An execution that met errors is handed back, for Yoga to present. */
  const runQuickly = (
    exchange: Exchange,
    principal: Principal,
    { params, question }: Question,
    cors: Record<string, string>,
  ): Quick | Promise<Quick> => {
    const type = quickTypeOf(exchange);
    if (type === null) return null;
    const show = (outcome: QuickOutcome): Quick => {
      switch (outcome.kind) {
        case 'not-run':
          return null;
        case 'errors':
          return outcome.result;
        case 'text':
          if (outcome.basis !== null && question !== null)
            answers.keep(question, outcome.text, outcome.basis);
          answerWithOthers(exchange, 200, outcome.text, { 'content-type': type, ...cors });
          return 'answered';
      }
    };
    const { requestId, log } = exchange;
    const running = yoga.quick({
      principal,
      params,
      requestId,
      log,
      socket: null,
      signal: neverGone,
      onStream: noStream,
    });
    if (running === null) return null;
    return running instanceof Promise ? running.then(show) : show(running);
  };

  return {
    name: 'graphql',
    methods: ['GET', 'POST', 'OPTIONS'],
    async handle(exchange) {
      const { request, method } = exchange;
      if (method === 'OPTIONS') {
        answer(exchange, 204, '', preflightHeaders(exchange, deps.corsOrigins));
        return;
      }
      // With a query, too: GraphiQL keeps the one being edited in the address, and a reload must bring the page again.
      if (graphiql !== null && method === 'GET' && wantsPage(request.headers.accept)) {
        await graphiql.send(exchange);
        return;
      }
      const cors = corsHeaders(exchange, deps.corsOrigins);
      const known = auth.authenticate(keyOfRequest(request));
      const principal = known instanceof Promise ? await known : known;
      if (principal === null) {
        metrics.refused('unauthenticated');
        const message = 'A valid gateway key is needed: Authorization: Bearer <key>.';
        refuse(
          exchange,
          401,
          { code: 'UNAUTHENTICATED', message },
          { ...cors, 'www-authenticate': 'Bearer' },
        );
        return;
      }
      const wait = rate.take(principal.keyHash);
      if (wait !== null) {
        metrics.refused('rate');
        const message = 'This key asks more often than it may.';
        const headers = { ...cors, 'retry-after': String(Math.ceil(wait / SECOND)) };
        refuse(exchange, 429, { code: 'RATE_LIMITED', message, retryAfterMs: wait }, headers);
        return;
      }
      const question = await questionOf(exchange, principal, cors);
      if (question === null) return;
      const asked = deps.trusted.resolve(question.params);
      if (asked.kind === 'params') {
        await run(exchange, principal, { ...question, params: asked.params }, cors);
        return;
      }
      metrics.refused('untrusted');
      refuse(exchange, 403, { code: 'FORBIDDEN', message: asked.message }, cors);
    },
  };

  /** Null: the exchange is answered already. */
  async function questionOf(
    exchange: Exchange,
    principal: Principal,
    cors: Record<string, string>,
  ): Promise<Question | null> {
    if (exchange.method === 'GET') {
      const params = parsed(exchange, cors, () => paramsOfQuery(exchange.query));
      return params === null ? null : { params, question: null };
    }
    const kind = contentKindOf(exchange.request.headers['content-type']);
    if (kind === 'unsupported') {
      const message = 'A request must be application/json or application/graphql, in UTF-8.';
      refuse(exchange, 415, { code: 'BAD_USER_INPUT', message }, cors);
      return null;
    }
    const limits: BodyLimits = allows(principal.scopes, 'SUPPLIER')
      ? { bytes: SUPPLIER_BODY_BYTES, milliseconds: SUPPLIER_PATIENCE * deps.bodyMilliseconds }
      : { bytes: BODY_BYTES, milliseconds: deps.bodyMilliseconds };
    const body = await readBody(exchange, limits, clock);
    switch (body.kind) {
      case 'read': {
        // Judged, resolved and executed for another request, letter for letter the same.
        const question = kind === 'json' && allows(principal.scopes, 'BUYER') ? body.bytes : null;
        const type = quickTypeOf(exchange);
        const kept = question === null || type === null ? null : answers.find(question);
        if (kept !== null && type !== null) {
          answerWithOthers(exchange, 200, kept, { 'content-type': type, ...cors });
          return null;
        }
        const params = parsed(exchange, cors, () => paramsOfBody(kind, body.bytes));
        return params === null ? null : { params, question };
      }
      case 'too-large': {
        metrics.refused('too-large');
        const message = `The request is larger than ${limits.bytes} bytes.`;
        refuse(exchange, 413, { code: 'QUERY_TOO_COMPLEX', message }, cors);
        return null;
      }
      case 'too-slow':
        refuse(
          exchange,
          408,
          { code: 'BAD_USER_INPUT', message: 'The request took too long to arrive.' },
          cors,
        );
        return null;
      case 'gone':
        return null;
    }
  }
}

function parsed(
  exchange: Exchange,
  cors: Record<string, string>,
  parse: () => GraphQLParams,
): GraphQLParams | null {
  try {
    return parse();
  } catch (error) {
    const { message, extensions } = presentThrown(error, exchange);
    refuse(exchange, 400, { code: String(extensions['code']), message }, cors);
    return null;
  }
}

function endStream(stream: GovernedStream | null): void {
  // Asked for in a form that cannot stream: nobody will ever read it.
  void stream?.return();
}

function noStream(): void {}

/** Only streams ask whether their client is still there, and compiled documents have none. */
const neverGone = new AbortController().signal;

/** The type of an answer that needs nothing of Yoga's. By GET nothing may change; what is accepted but plain JSON is for it to work out. */
function quickTypeOf({ method, request }: Exchange): string | null {
  return method === 'POST' ? plainJsonOf(request.headers.accept) : null;
}

/** The type of the answer where the first thing accepted is plain JSON, as Yoga chooses it; else null. */
function plainJsonOf(accept = '*/*'): string | null {
  const first = /^[^,;]*/.exec(accept)?.[0].trim() ?? '';
  if (accept.includes('charset')) return null;
  if (first === '*/*' || first === 'application/json') return 'application/json; charset=utf-8';
  return first === 'application/graphql-response+json' ? `${first}; charset=utf-8` : null;
}

/** A browser that navigates, not a script that fetches. */
function wantsPage(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false;
}
