import type { CallerName, OrderId } from '../../src/domain/ids.ts';
import type { SmsRevision } from '../../src/domain/sms/accept.ts';
import { followAllMessages, followMessages } from '../../src/flows/sms/follow-messages.ts';
import type { Simulation } from './simulation.ts';
import type { Player, Stage } from './stage.ts';

/** A client that follows what is told, comes back wherever it was cut off, and writes down what it gets. */
export interface Subscriber<Item = SmsRevision> {
  readonly received: readonly Item[];
  /** Connects again where its instance has died, or where it went away. */
  tend(): Promise<void>;
  leave(): void;
}

type Connect<Item> = (
  instance: Player,
  last: Item | undefined,
) => Promise<AsyncIterableIterator<Item> | null>;

/** Follows all messages of a caller by their sequence. */
export function followCaller(simulation: Simulation, caller: CallerName): Subscriber {
  const scope = { kind: 'own', caller } as const;
  return subscriber(simulation, async ({ deps }, last) =>
    followAllMessages(deps, scope, { revision: -1, sequence: last?.sequence ?? 0 }),
  );
}

/** Follows the messages of one order by their revision. */
export function followOne(simulation: Simulation, caller: CallerName, id: OrderId): Subscriber {
  const scope = { kind: 'own', caller } as const;
  return subscriber(simulation, ({ deps }, last) => followMessages(deps, scope, id, last?.revision ?? -1));
}

/** A client that follows something, and resumes by the last that it got. */
export function subscriber<Item>(
  { pick }: Pick<Stage<Player>, 'pick'>,
  connect: Connect<Item>,
): Subscriber<Item> {
  const received: Item[] = [];
  let at: Player | null = null;
  let isConnecting = false;
  let items: AsyncIterableIterator<Item> | null = null;

  async function listen(from: AsyncIterableIterator<Item>): Promise<void> {
    for await (const message of from) received.push(message);
    // Ended by the gateway: there may be more later, of an order whose end came before its last message.
    if (items === from) items = null;
  }

  return {
    received,
    async tend() {
      if (at?.life.isOver() === true) {
        items = null;
        isConnecting = false;
      }
      if (items !== null || isConnecting) return;
      const instance = pick();
      at = instance;
      if (instance === null) return;
      isConnecting = true;
      // Of an instance that dies meanwhile no answer comes, and the next turn connects elsewhere.
      void connect(instance, received.at(-1)).then((found) => {
        isConnecting = false;
        items = found;
        if (found !== null) void listen(found);
      });
    },
    leave() {
      void items?.return?.();
      items = null;
    },
  };
}
