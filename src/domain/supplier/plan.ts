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

/** A plan under way, to be gone on with: a hundred thousand lines at once would hold up everybody else. */
export interface PlanUnderWay {
  /** Looks at up to so many lines more. True: that was the last of them. */
  advance(most: number): boolean;
  /** Of the lines looked at so far. */
  plan(): DeliveryPlan;
}

/**
 * Does to the lines what the API does, in its order: split at LF or CRLF (a trailing one makes no further line), trim,
 * drop blanks, drop repeats, cut at the ordered quantity (supplier-v2.md, Delivering). A line is opaque text.
 */
export function beginPlan(delivered: Delivered, elements: readonly string[]): PlanUnderWay {
  const room = Math.max(0, delivered.quantity - delivered.deliveredCount);
  const seen = new Set<string>();
  const fresh: string[] = [];
  const duplicate: string[] = [];
  const overflow: string[] = [];
  let next = 0;
  /** Of the element under way, where it holds several lines. */
  let lines: readonly string[] = [];
  let nextLine = 0;
  let received = 0;
  let blank = 0;

  const take = (raw: string): void => {
    received += 1;
    const line = raw.trim();
    if (line === '') {
      blank += 1;
      return;
    }
    const folded = foldLine(line);
    const before = seen.size;
    // One look-up where `has` and `add` are two: of a hundred thousand lines they are most of the time.
    if (delivered.folded.has(folded) || seen.add(folded).size === before) duplicate.push(line);
    else (fresh.length < room ? fresh : overflow).push(line);
  };

  return {
    advance(most) {
      for (let taken = 0; taken < most; taken++) {
        const line = lines[nextLine];
        if (line !== undefined) {
          nextLine += 1;
          take(line);
          continue;
        }
        const element = elements[next];
        if (element === undefined) return true;
        next += 1;
        // Most elements are one line, and to split it would make a list of one.
        if (!element.includes('\n')) take(element);
        else {
          lines = splitLines(element);
          nextLine = 0;
        }
      }
      return false;
    },
    plan: () => ({ received, fresh, blank, duplicate, overflow, remainingAfter: room - fresh.length }),
  };
}

/** The whole plan at once. */
export function planDelivery(delivered: Delivered, elements: readonly string[]): DeliveryPlan {
  const underWay = beginPlan(delivered, elements);
  underWay.advance(Number.POSITIVE_INFINITY);
  return underWay.plan();
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
