/** One request, written down when it comes in: one that is then cut off is there, too. */
export type LoggedRequest = {
  readonly n: number;
  readonly at: string;
  readonly side: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly x_request_id: string;
  readonly idempotency_key: string | null;
  /** How many requests of that side were under way when this one came in. */
  readonly inflight_at_start: number;
  /** The body as JSON, as text where it is none; null where there is none (or not yet). */
  body: unknown;
  /** What was answered; null while under way, and for a connection cut before any answer. */
  status: number | null;
  /** When its answer was ready, or the connection given up; null while under way. */
  ended_at: string | null;
  fault: string | null;
};

const KEPT = 200_000;
/** Dropped in steps, so that the usual entry costs no copy. */
const SLACK = 10_000;

export type RequestLog = {
  add(entry: LoggedRequest): void;
  /** The newest 200,000, oldest first; `after` leaves out those up to that number. */
  list(after: number): readonly LoggedRequest[];
};

export function createRequestLog(): RequestLog {
  let entries: LoggedRequest[] = [];
  return {
    add(entry) {
      entries.push(entry);
      if (entries.length >= KEPT + SLACK) entries = entries.slice(-KEPT);
    },
    list(after) {
      const newest = entries.slice(-KEPT);
      return after <= 0 ? newest : newest.filter((entry) => entry.n > after);
    },
  };
}
