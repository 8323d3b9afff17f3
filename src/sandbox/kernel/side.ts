import type { Agenda } from './agenda.ts';
import type { Clock } from './clock.ts';
import type { Faults, SideName } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Reply } from './reply.ts';
import type { SettingsBook } from './settings.ts';

/** One request as a side sees it: its body read whole, the shared bookkeeping done. */
export type SandboxRequest = {
  /** Number in the request log; grows by one per request that came in. */
  readonly n: number;
  readonly id: string;
  readonly method: string;
  /** Without the query, with the side's prefix: `/v1/orders/7`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** null: over the size limit; the side says how it refuses that. */
  readonly body: Uint8Array | null;
  /**
   * To be awaited once, when what the request claims (its idempotency key, a slot, an order's lock) is held and before
   * anything takes effect: a delay fault makes it last. Where a side does not await it, the delay comes after the effect.
   */
  work(): Promise<void>;
};

/**
 * One of the two simulated upstreams. Everything it knows is in memory and changes in synchronous steps; what must
 * survive a restart is put into its journal, which is committed after each step and before any answer leaves.
 */
export type Side = {
  readonly name: SideName;
  /** Requests below this path are the side's. */
  readonly prefix: string;
  /** In bytes; a request over it comes without its body. Left out: 1 MB. */
  readonly bodyLimit?: number;
  readonly settings: SettingsBook;
  handle(request: SandboxRequest): Promise<Reply>;
  /** The side's own paths below /_sandbox; null where the path is none of them. */
  control(call: ControlCall): Reply | null;
  /** What the side adds to GET /_sandbox/ledger. */
  ledger(): Readonly<Record<string, unknown>>;
  /** How this upstream tells a caller to slow down. */
  tooManyRequests(retryAfterSeconds: number): Reply;
  stop(): void;
};

export type ControlCall = { readonly method: string; readonly path: string; readonly body: unknown };

/** What the kernel gives to a side. The journal is the side's own; the rest is shared. */
export type SideContext = {
  readonly clock: Clock;
  readonly agenda: Agenda;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly seed: number;
};

export type SideFactory = (context: SideContext) => Side;

export type SideFactories = Readonly<Partial<Record<SideName, SideFactory>>>;
