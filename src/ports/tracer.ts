/** What a span may carry: never a secret, and no ids of orders or callers, which would make each span its own kind. */
export type SpanFields = Readonly<Record<string, string | number | boolean>>;

export interface Tracer {
  /** Runs the work inside of a span; `note` adds to it. What the work throws is marked on the span and thrown on. */
  span<Result>(
    name: string,
    fields: SpanFields,
    work: (note: (fields: SpanFields) => void) => Promise<Result>,
  ): Promise<Result>;
}
