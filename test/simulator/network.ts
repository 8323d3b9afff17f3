import type { Clock } from '../../src/ports/clock.ts';
import type { Fault } from '../../src/sandbox/kernel/faults.ts';
import type { World } from '../../src/sandbox/kernel/world.ts';
import type { Http, HttpCall, HttpResult } from '../../src/upstream/http.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

/** What goes wrong between the gateway and the provider, as often as the history says. */
export interface Network {
  /** The way out of one process. `isOver`: whether it has died meanwhile. */
  wayOut(isOver: () => boolean): Http;
  /** From 0, nothing, to 1, most calls. */
  setFaults(share: number): void;
}

export interface NetworkParts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly world: World;
  /** To that world, without anything going wrong. */
  readonly http: Http;
  /** A call is about to leave; what it gives is called when its sender hears of its end, or cannot any more. */
  readonly onSend: (call: HttpCall) => Promise<((result: HttpResult | null) => void) | null>;
  /** What is merged into an answer of a wrong shape. */
  readonly wrongShape: Extract<Fault, { kind: 'wrong_shape' }>['merge'];
  readonly note: (line: string) => void;
}

/** Longer than a call may take, so that some time out while the provider still works on them. */
export const LONGEST_DELAY = 40_000;

export function createNetwork({
  clock,
  random,
  world,
  http,
  onSend,
  wrongShape,
  note,
}: NetworkParts): Network {
  let share = 0;

  function fault(): Fault | null {
    if (!random.chance(share)) return null;
    const all = { match: {}, times: 1 } as const;
    switch (
      random.weighted({
        delay: 4,
        before: 3,
        after: 4,
        late: 2,
        half: 1,
        silentHalf: 1,
        utf8: 1,
        twice: 1,
        shape: 2,
        html: 2,
        hang: 1,
        limited: 2,
        refused: 2,
      })
    ) {
      case 'delay':
        return { kind: 'delay', ms: random.integer(50, LONGEST_DELAY), ...all };
      case 'before':
        return { kind: 'reset_before', ...all };
      case 'after':
        return { kind: 'reset_after', ...all };
      case 'late':
        return { kind: 'drop_after_ms', ms: random.integer(10, LONGEST_DELAY), ...all };
      case 'half':
        return { kind: 'half_body', ...all };
      case 'silentHalf':
        return { kind: 'half_body_close', ...all };
      case 'utf8':
        return { kind: 'bad_utf8', ...all };
      case 'twice':
        return { kind: 'duplicate_key', ...all };
      case 'shape':
        return { kind: 'wrong_shape', merge: wrongShape, ...all };
      case 'html':
        return { kind: 'html_502', effect: random.chance(0.5), ...all };
      case 'hang':
        return { kind: 'hang', effect: random.chance(0.5), ...all };
      case 'limited':
        return { kind: 'rate_limited', retry_after: random.integer(0, 20), ...all };
      case 'refused':
        return {
          kind: 'status',
          status: random.pick([401, 404, 409, 500, 503]),
          body: { success: false, error: { code: 'SOMETHING_NEW', message: 'no' } },
          headers: {},
          effect: random.chance(0.5),
          ...all,
        };
    }
  }

  return {
    setFaults(next) {
      share = next;
    },
    wayOut: (isOver) => ({
      async call(request) {
        const ended = await onSend(request);
        const spoiled = fault();
        if (spoiled !== null) {
          note(`  ${request.operation} meets ${spoiled.kind}`);
          // Taken by the very call that follows: nothing runs in between.
          world.faults.add(spoiled);
        }
        if (request.body !== undefined)
          note(`  ${request.operation} leaves: ${request.headers?.['idempotency-key'] ?? request.body}`);
        // A process that dies in the middle of a send hears no answer; its lease outlasts what the send may still take.
        if (ended !== null) clock.after(request.deadline - clock.now(), () => ended(null));
        const result = await http.call(request);
        if (!isOver()) ended?.(result);
        return result;
      },
      close: async () => undefined,
    }),
  };
}
