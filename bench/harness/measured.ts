import { httpLoad, type LoadResult, postBytes } from './http-load.ts';
import { quantile } from './rounds.ts';

/** Something of Switchboard alone, held to a bound. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Null: told only. */
  readonly atMost: number | null;
}

export interface MeasuredPath {
  readonly path: string;
  readonly what: string;
  readonly measures: readonly Measure[];
}

export function measuredTable({ path, what, measures }: MeasuredPath): string {
  const lines = measures.map(({ name, value, unit, atMost }) => {
    const verdict = atMost === null ? '' : value <= atMost ? 'met' : 'MISSED';
    return `| ${name} | ${value.toFixed(1)} ${unit} | ${atMost === null ? '' : `${atMost} ${unit}`} | ${verdict} |`;
  });
  return [
    `### ${path}`,
    '',
    what,
    '',
    '| measure | value | at most | |',
    '| --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

export interface Question {
  readonly name: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** One connection, one question after the other. */
export async function askAlone(
  port: number,
  headers: Readonly<Record<string, string>>,
  { name, query, variables }: Question,
  milliseconds: number,
): Promise<LoadResult> {
  const bytes = postBytes('/graphql', JSON.stringify({ query, variables }), headers);
  const result = await httpLoad({ port, connections: 1, milliseconds, request: () => bytes });
  if (result.failed > 0) throw new Error(`${name} was answered with an error`);
  return result;
}

export function p95({ latencies }: LoadResult): number {
  return quantile(latencies, 0.95);
}
