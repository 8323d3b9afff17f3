import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from './program.ts';
import { slopeOf } from './slope.ts';

const MINUTE = 60_000;
const MEBIBYTE = 1024 * 1024;
/**
 * What a leak would have to be below not to be noticed, a minute. A record of each order and stream that is kept by mistake,
 * a kilobyte with what hangs on it, would be half a mebibyte at some 500 of them a minute. RSS moves more by itself: the allocator
 * gives pages back late.
 */
const BOUNDS = { heapUsed: MEBIBYTE / 2, rss: 2 * MEBIBYTE } as const;
/** In less, the compiler's and the caches' own growth is all that is seen. */
const SHORTEST = 4 * MINUTE;
const PROBE_LIMIT = 5_000;

export interface Sample {
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly rss: number;
  readonly heapUsed: number;
}

/** What the gateway holds once nothing can be collected any more. @throws Error when it does not answer. */
export async function sampleOf(gateway: Program): Promise<Omit<Sample, 'at'>> {
  const before = gateway.probes().length;
  gateway.child.kill('SIGUSR2');
  for (let waited = 0; waited < PROBE_LIMIT; waited += 20) {
    await sleep(20);
    const probe = gateway.probes()[before];
    if (probe !== undefined) return probe;
  }
  throw new Error('the gateway does not tell what it holds');
}

/** Whether memory was flat over the second half of the run: the slope of the line that fits it best stays below a bound. */
export function judgeMemory(
  samples: readonly Sample[],
  length: number,
): { readonly seen: readonly string[]; readonly broken: readonly string[] } {
  const half = samples.filter(({ at }) => at >= length / 2 && at <= length);
  const isJudged = length / 2 >= SHORTEST && half.length > 10;
  const seen: string[] = [];
  const broken: string[] = [];
  for (const of of ['heapUsed', 'rss'] as const) {
    const slope = slopeOf(half.map((sample) => [sample.at / MINUTE, sample[of]]));
    const values = half.map((sample) => sample[of]);
    const range = `${inMebibytes(Math.min(...values))} to ${inMebibytes(Math.max(...values))} MiB`;
    const words = `${of}: ${range} in ${half.length} samples, ${inMebibytes(slope)} MiB a minute (bound ${inMebibytes(BOUNDS[of])})`;
    seen.push(isJudged ? words : `${words}; not judged, the run was too short`);
    if (isJudged && !(slope <= BOUNDS[of])) broken.push(`memory grows: ${words}`);
  }
  return { seen, broken };
}

function inMebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(2);
}
