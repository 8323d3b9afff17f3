import { styleText } from 'node:util';
import type { ConfigProblem } from '../config/problem.ts';
import { problemLine } from '../config/problem.ts';
import type { LineSink } from '../server/json-log.ts';

/** A failure told in words for the person at the keyboard; no stack. */
export class CommandFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandFailure';
  }
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Coloured for a person at a terminal that has colours and does not forbid them (NO_COLOR); plain for a file or a pipe. */
export function paint(colour: 'green' | 'yellow' | 'red', text: string): string {
  const { stdout } = process;
  return stdout.isTTY && stdout.hasColors() ? styleText(colour, text) : text;
}

/** All problems in one go, a line each. */
export function problemText(problems: readonly ConfigProblem[]): string {
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return [
    `The configuration has ${count}:`,
    ...problems.map((problem) => `  - ${problemLine(problem)}`),
  ].join('\n');
}

/** Keeps lines back until they may go: what a start has to say first must come first. */
export function createHeldSink(sink: LineSink): LineSink & { release(): void } {
  let held: string[] | null = [];
  return {
    write(line) {
      if (held === null) sink.write(line);
      else held.push(line);
    },
    release() {
      for (const line of held ?? []) sink.write(line);
      held = null;
    },
  };
}
