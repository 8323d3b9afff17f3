import type { Agenda } from './agenda.ts';
import { type Clock, instant, sleep } from './clock.ts';
import type { Faults, RequestFault } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';
import { jsonReply, parseJson, type Reply, textReply } from './reply.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import type { SandboxRequest, Side } from './side.ts';
import { withBadUtf8, withDuplicateKey, withWrongShape } from './spoil.ts';

/** What becomes of a connection. Sockets are told apart from it, so that a simulation can do without them. */
export type Outcome =
  | { readonly kind: 'answer'; readonly reply: Reply }
  /** Half of the body, then the end: under a Content-Length of the whole, or on a connection-close answer. */
  | { readonly kind: 'cut'; readonly reply: Reply; readonly told: 'length' | 'close' }
  | { readonly kind: 'drip'; readonly reply: Reply; readonly everyMs: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' };

export type RequestHead = {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** A request that has come in and is written down; its body is still on its way. */
export type OpenRequest = {
  readonly bodyLimit: number;
  /** With the whole body, null for one over the size limit. */
  finish(body: Uint8Array | null): Promise<Outcome>;
  /** The caller went away before the body was complete. */
  abandon(): void;
};

export type Exchange = { open(side: Side, head: RequestHead): OpenRequest };

type Parts = {
  readonly clock: Clock;
  readonly agenda: Agenda;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly random: Random;
};

export function createExchange({ clock, agenda, journal, faults, log, random }: Parts): Exchange {
  let count = 0;
  const inflight = { buyer: 0, supplier: 0 };

  async function answer(side: Side, request: SandboxRequest, entry: LoggedRequest): Promise<Outcome> {
    const fault = faults.takeForRequest({ side: side.name, method: request.method, path: request.path });
    entry.fault = fault?.kind ?? null;
    if (fault === null || hasEffect(fault)) {
      const reply = await effect(side, request, fault?.kind === 'delay' ? fault.ms : 0);
      return fault === null ? { kind: 'answer', reply } : spoiled(fault, reply, side);
    }
    return spoiled(fault, textReply(200, ''), side);
  }

  async function effect(side: Side, request: SandboxRequest, delayMs: number): Promise<Reply> {
    let delayed = delayMs === 0;
    const work = async (): Promise<void> => {
      if (delayed) return;
      delayed = true;
      await sleep(clock, delayMs);
      agenda.runDue();
    };
    agenda.runDue();
    const reply = await side.handle({ ...request, work });
    journal.commit();
    await work();
    return reply;
  }

  async function spoiled(fault: RequestFault, reply: Reply, side: Side): Promise<Outcome> {
    switch (fault.kind) {
      case 'delay':
        return { kind: 'answer', reply };
      case 'reset_before':
      case 'reset_after':
        return { kind: 'reset' };
      case 'drop_after_ms':
        await sleep(clock, fault.ms);
        return { kind: 'reset' };
      case 'hang':
        return { kind: 'hang' };
      case 'half_body':
        return { kind: 'cut', reply, told: 'length' };
      case 'half_body_close':
        return { kind: 'cut', reply, told: 'close' };
      case 'drip':
        return { kind: 'drip', reply, everyMs: fault.ms };
      case 'bad_utf8':
        return { kind: 'answer', reply: withBadUtf8(reply) };
      case 'duplicate_key':
        return { kind: 'answer', reply: withDuplicateKey(reply) };
      case 'wrong_shape':
        return { kind: 'answer', reply: withWrongShape(reply, fault.merge) };
      case 'html_502':
        return { kind: 'answer', reply: textReply(502, BAD_GATEWAY, 'text/html') };
      case 'status': {
        const { status, body, headers } = fault;
        const made = typeof body === 'string' ? textReply(status, body) : jsonReply(status, body ?? {});
        return { kind: 'answer', reply: { ...made, headers: { ...made.headers, ...headers } } };
      }
      case 'rate_limited':
        return { kind: 'answer', reply: side.tooManyRequests(fault.retry_after) };
      case 'redirect':
        return {
          kind: 'answer',
          reply: { ...textReply(fault.status, ''), headers: { location: fault.location } },
        };
    }
  }

  return {
    open(side, { method, target, headers }) {
      const url = new URL(target, 'http://sandbox');
      const n = ++count;
      const id = `req_${random.text(24, '0123456789abcdef')}`;
      const entry: LoggedRequest = {
        n,
        at: instant(clock.now()),
        side: side.name,
        method,
        path: url.pathname,
        query: url.search,
        x_request_id: id,
        idempotency_key: headers['idempotency-key'] ?? null,
        inflight_at_start: inflight[side.name],
        body: null,
        status: null,
        ended_at: null,
        fault: null,
      };
      log.add(entry);
      inflight[side.name]++;
      const end = (): void => {
        inflight[side.name]--;
        entry.ended_at = instant(clock.now());
      };
      return {
        bodyLimit: side.bodyLimit ?? BODY_LIMIT,
        async finish(body) {
          if (body !== null && body.length > 0) entry.body = parseJson(body) ?? Buffer.from(body).toString();
          try {
            const outcome = await answer(
              side,
              {
                n,
                id,
                method,
                path: url.pathname,
                query: url.searchParams,
                headers,
                body,
                work: async () => {},
              },
              entry,
            );
            return withRequestId(outcome, id, entry);
          } finally {
            end();
          }
        },
        abandon: end,
      };
    },
  };
}

/** "Request bodies: 1 MB at most" (reference, 3). */
const BODY_LIMIT = 1_000_000;

const BAD_GATEWAY =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** Faults without an effect are answered in the upstream's place: nothing reaches it. */
function hasEffect(fault: RequestFault): boolean {
  switch (fault.kind) {
    case 'reset_before':
    case 'rate_limited':
    case 'redirect':
      return false;
    case 'hang':
    case 'html_502':
    case 'status':
      return fault.effect;
    case 'delay':
    case 'reset_after':
    case 'drop_after_ms':
    case 'half_body':
    case 'half_body_close':
    case 'drip':
    case 'bad_utf8':
    case 'duplicate_key':
    case 'wrong_shape':
      return true;
  }
}

function withRequestId(outcome: Outcome, id: string, entry: LoggedRequest): Outcome {
  if (outcome.kind === 'reset' || outcome.kind === 'hang') return outcome;
  const { reply } = outcome;
  entry.status = reply.status;
  return { ...outcome, reply: { ...reply, headers: { 'x-request-id': id, ...reply.headers } } };
}
