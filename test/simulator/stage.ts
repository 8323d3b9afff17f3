import { formatInstant } from '../../src/domain/time.ts';
import type { Deps } from '../../src/flows/deps.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { LogLine } from '../support/kept-log.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { DISK_FULL } from './full-disk.ts';
import type { Life } from './life.ts';

/** One process of the gateway, as a history sees it. */
export interface Player {
  readonly name: string;
  readonly deps: Deps;
  readonly life: Life;
  readonly lines: readonly LogLine[];
}

/** Who lives in a history, and what is told of it. */
export interface Stage<One extends Player> {
  /** Those that live. */
  readonly instances: ReadonlySet<One>;
  /** All that ever lived. */
  readonly everyone: readonly One[];
  readonly history: readonly string[];
  readonly violations: readonly string[];
  note(line: string): void;
  violate(what: string): void;
  enter(instance: One): void;
  /** Takes those away that have died. */
  bury(): void;
  /** One that lives; null when none does. */
  pick(): One | null;
  /** A client's request. Of an instance that dies no answer ever comes. `judge` says in words what it came to. */
  ask<Answer>(
    instance: One,
    label: string,
    work: (deps: Deps) => Promise<Answer>,
    judge: (answer: Answer) => string,
  ): void;
  /** Clients that still wait for an answer. */
  waiting(): number;
}

export function createStage<One extends Player>(
  clock: Pick<Clock, 'now'>,
  random: Pick<SeededRandom, 'pick'>,
): Stage<One> {
  const history: string[] = [];
  const violations: string[] = [];
  const instances = new Set<One>();
  const everyone: One[] = [];
  const waiting = new Set<Pick<One, 'life'>>();

  const note = (line: string): void => {
    history.push(`${formatInstant(clock.now()).slice(11, 23)} ${line}`);
  };
  const violate = (what: string): void => {
    violations.push(what);
    note(`!!! ${what}`);
  };

  return {
    instances,
    everyone,
    history,
    violations,
    note,
    violate,
    enter(instance) {
      instances.add(instance);
      everyone.push(instance);
    },
    bury() {
      for (const one of instances) if (one.life.isOver()) instances.delete(one);
    },
    pick: () => (instances.size === 0 ? null : random.pick([...instances])),
    ask({ name, life, deps }, label, work, judge) {
      note(`${name} is asked: ${label}`);
      const client = { life };
      waiting.add(client);
      work(deps)
        .then(
          (answer) => note(`${name} answers: ${label}: ${judge(answer)}`),
          (error: unknown) => {
            if (error instanceof Error && error.message === DISK_FULL) note(`${label}: ${DISK_FULL}`);
            else violate(`${label} fails: ${String(error)}`);
          },
        )
        .finally(() => waiting.delete(client));
    },
    waiting: () => [...waiting].filter(({ life }) => !life.isOver()).length,
  };
}
