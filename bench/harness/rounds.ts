import type { LoadResult } from './http-load.ts';
import type { Running } from './process.ts';

export interface Contender {
  readonly name: string;
  start(): Promise<Running>;
  /** Waits until it has done what its answers left to be done. */
  settled?(running: Running): Promise<void>;
}

export interface Figures {
  readonly name: string;
  readonly rps: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU an answer. */
  readonly cpu: number;
  /** Microseconds of CPU an answer that it left to be done after the round. */
  readonly cpuAfter: number;
  readonly memory: number;
  readonly failed: number;
  /** How far rounds lie apart: (most - least) / median of rps. */
  readonly noise: number;
}

export interface Plan {
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly roundMs: number;
}

/** Answers until a contender is compiled: by one connection, CPU an answer went on falling for some fifteen thousand. */
const WARM = 20_000;
const MOST_WARM_UP_MS = 25_000;

type Round = Omit<Figures, 'name' | 'noise'>;

/**
 * All contenders are up at once and are loaded in turn, round after round: what disturbs the machine disturbs all of them.
 * Figures are medians over the rounds.
 */
export async function race(
  contenders: readonly Contender[],
  plan: Plan,
  loadOf: (running: Running, name: string, milliseconds: number) => Promise<LoadResult>,
): Promise<readonly Figures[]> {
  const load: typeof loadOf = (running, name, milliseconds) =>
    loadOf(running, name, milliseconds).catch((error: unknown) => {
      throw new Error(`${name} failed under load`, { cause: error });
    });
  const up: { contender: Contender; running: Running; rounds: Round[] }[] = [];
  try {
    for (const contender of contenders) up.push({ contender, running: await contender.start(), rounds: [] });
    for (const { contender, running } of up) {
      // By answers as much as by time: on a busy machine a second is not enough for the compiler to be done.
      for (
        let answered = 0, time = 0;
        time < plan.warmUpMs || (answered < WARM && time < MOST_WARM_UP_MS);
      ) {
        answered += (await load(running, contender.name, 500)).answered;
        time += 500;
      }
      await contender.settled?.(running);
    }
    for (let round = 0; round < plan.rounds; round++) {
      for (const { contender, running, rounds } of up) {
        const before = running.cpu();
        const { answered, seconds, latencies, failed } = await load(running, contender.name, plan.roundMs);
        const loaded = running.cpu();
        await contender.settled?.(running);
        rounds.push({
          rps: answered / seconds,
          p50: quantile(latencies, 0.5),
          p99: quantile(latencies, 0.99),
          cpu: ((loaded - before) * 1e6) / Math.max(1, answered),
          cpuAfter: ((running.cpu() - loaded) * 1e6) / Math.max(1, answered),
          memory: running.memory(),
          failed,
        });
      }
    }
  } finally {
    for (const { running } of up) await running.stop();
  }
  return up.map(({ contender: { name }, rounds }) => summary(name, rounds));
}

function summary(name: string, rounds: readonly Round[]): Figures {
  const of = (key: keyof Round): number => median(rounds.map((round) => round[key]));
  const all = rounds.map(({ rps }) => rps);
  return {
    name,
    rps: of('rps'),
    p50: of('p50'),
    p99: of('p99'),
    cpu: of('cpu'),
    cpuAfter: of('cpuAfter'),
    memory: of('memory'),
    failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
    noise: (Math.max(...all) - Math.min(...all)) / of('rps'),
  };
}

export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
