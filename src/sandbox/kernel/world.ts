import { createAgenda } from './agenda.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Control, createControl } from './control.ts';
import { createExchange, type OpenRequest, type RequestHead } from './exchange.ts';
import { createFaults, type Faults } from './faults.ts';
import { openJournal, scopedJournal } from './journal.ts';
import { randomFrom } from './random.ts';
import { createRequestLog } from './request-log.ts';
import type { SideFactories } from './side.ts';

export type WorldOptions = {
  /** What is made up (catalog, numbers, messages) follows from it. */
  readonly seed?: number;
  /** Where the state is kept over a restart; without it nothing is. */
  readonly stateFile?: string | undefined;
  readonly clock?: Clock;
};

/** A sandbox without its sockets: a simulation drives this, kernel/listen.ts puts it behind HTTP. */
export type World = {
  /** null: no side has this path. */
  open(head: RequestHead): OpenRequest | null;
  readonly control: Control;
  readonly faults: Faults;
  readonly clock: Clock;
  close(): void;
};

const DEFAULT_SEED = 1;

export function createWorld(options: WorldOptions, factories: SideFactories): World {
  const clock = options.clock ?? systemClock;
  const seed = options.seed ?? DEFAULT_SEED;
  const journal = openJournal(options.stateFile);
  const agenda = createAgenda(clock, () => journal.commit());
  const faults = createFaults();
  const log = createRequestLog();
  const sides = Object.entries(factories).map(([name, create]) =>
    create({ clock, agenda, faults, seed, journal: scopedJournal(journal, name) }),
  );
  const random = randomFrom(seed, 'request', clock.now());
  const exchange = createExchange({ clock, agenda, journal, faults, log, random });
  const control = createControl({ faults, log, sides });
  journal.commit();
  agenda.runDue();

  return {
    open(head) {
      const path = head.target.split('?', 1)[0] ?? '';
      const side = sides.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
      return side === undefined ? null : exchange.open(side, head);
    },
    control(request) {
      agenda.runDue();
      const reply = control(request);
      journal.commit();
      return reply;
    },
    faults,
    clock,
    close() {
      agenda.stop();
      for (const side of sides) side.stop();
      journal.commit();
      journal.close();
    },
  };
}
