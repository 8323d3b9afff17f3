import type { Figures } from './rounds.ts';

export interface Target {
  /** What the ratio is to: a contender's name. */
  readonly to: string;
  /** Least that our rate is to be, as a multiple of that contender's. */
  readonly atLeast: number;
}

export interface PathResult {
  readonly path: string;
  readonly what: string;
  readonly figures: readonly Figures[];
  readonly targets: readonly Target[];
  /** Verdicts on what is no rate. */
  readonly notes?: readonly string[];
}

export const OURS = 'Switchboard';

/** Our rate as a multiple of another's; by CPU an answer, where the machine was not ours alone. */
export function ratioOf({ figures }: PathResult, to: string, by: 'rps' | 'cpu'): number {
  const ours = figures.find(({ name }) => name === OURS);
  const other = figures.find(({ name }) => name === to);
  if (ours === undefined || other === undefined) return Number.NaN;
  return by === 'rps' ? ours.rps / other.rps : other.cpu / ours.cpu;
}

export function table(result: PathResult): string {
  const limit = result.figures[0];
  const rows = result.figures.map(({ name, rps, p50, p99, cpu, cpuAfter, memory, noise, failed }) => [
    name,
    rps.toFixed(0),
    p50.toFixed(2),
    p99.toFixed(2),
    cpu.toFixed(0),
    cpuAfter.toFixed(0),
    (memory / 2 ** 20).toFixed(0),
    limit === undefined ? '' : (rps / limit.rps).toFixed(2),
    ratioOf(result, name, 'rps').toFixed(2),
    ratioOf(result, name, 'cpu').toFixed(2),
    `${(noise * 100).toFixed(0)} %${failed > 0 ? `, ${failed} failed` : ''}`,
  ]);
  const head = [
    'contender',
    'rps',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'left µs',
    'MiB',
    'of limit',
    'ours to it',
    'by CPU',
    'noise',
  ];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const verdicts = result.targets.map((target) => {
    const ratio = ratioOf(result, target.to, 'rps');
    const byCpu = ratioOf(result, target.to, 'cpu');
    const word = ratio >= target.atLeast ? 'met' : 'MISSED';
    return `- ${word}: ${ratio.toFixed(2)} of ${target.to} (by CPU ${byCpu.toFixed(2)}), wanted ${target.atLeast}`;
  });
  return [
    `### ${result.path}`,
    '',
    result.what,
    '',
    ...lines,
    '',
    ...verdicts,
    ...(result.notes ?? []).map((note) => `- ${note}`),
    '',
  ].join('\n');
}
