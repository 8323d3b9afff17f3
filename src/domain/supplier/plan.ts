/** What a delivery of these lines would do: what the supplier API does silently, told. */
export interface DeliveryPlan {
  /** fresh + blank + duplicate + overflow. */
  readonly received: number;
  /** Lines that will be stored, in order. */
  readonly fresh: readonly string[];
  readonly blank: number;
  /** Repeats within this batch or of what was delivered before, whatever their letter case. */
  readonly duplicate: readonly string[];
  /** Lines past the ordered quantity. */
  readonly overflow: readonly string[];
  readonly remainingAfter: number;
}

export interface Delivered {
  readonly quantity: number;
  readonly deliveredCount: number;
  /** The lines known to have been delivered, folded. */
  readonly folded: ReadonlySet<string>;
}

/**
 * Does to the lines what the API does, in its order: split at LF or CRLF (a trailing one makes no further line), trim,
 * drop blanks, drop repeats, cut at the ordered quantity (supplier-v2.md, Delivering). A line is opaque text.
 */
export function planDelivery(delivered: Delivered, elements: readonly string[]): DeliveryPlan {
  const room = Math.max(0, delivered.quantity - delivered.deliveredCount);
  const seen = new Set<string>();
  const fresh: string[] = [];
  const duplicate: string[] = [];
  const overflow: string[] = [];
  let received = 0;
  let blank = 0;
  for (const element of elements) {
    for (const raw of splitLines(element)) {
      received += 1;
      const line = raw.trim();
      const folded = foldLine(line);
      if (line === '') blank += 1;
      else if (seen.has(folded) || delivered.folded.has(folded)) duplicate.push(line);
      else {
        seen.add(folded);
        (fresh.length < room ? fresh : overflow).push(line);
      }
    }
  }
  return { received, fresh, blank, duplicate, overflow, remainingAfter: room - fresh.length };
}

/** Letter case is ignored because the supplier drops such repeats without a word. */
export function foldLine(line: string): string {
  return line.toLowerCase();
}

function splitLines(element: string): readonly string[] {
  const lines = element.split(/\r?\n/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}
