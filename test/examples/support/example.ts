import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../../api/support/gateway.ts';
import { project } from '../../docs/support/page-runner.ts';

export interface Example {
  /** What it has printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Waits until it has printed this on stdout. */
  prints(text: string): Promise<void>;
  /** Its exit code; null when it was ended by a signal. */
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

const running = new Set<ChildProcess>();

/** Starts a file of examples/ as a process of its own. */
export function startExample(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Example {
  const child = spawn(process.execPath, ['--import', 'tsx', join(project, 'examples', path), ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (bytes: Buffer) => {
    stdout += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes.toString();
  });
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    prints: (text) => until(`${path} prints ${text}`, () => stdout.includes(text), 30_000),
    ended: new Promise((resolve) => {
      child.once('close', (code) => {
        running.delete(child);
        resolve(code);
      });
    }),
    kill: (signal) => void child.kill(signal),
  };
}

/** Ends what a failed test has left behind. */
export function endExamples(): void {
  for (const child of running) child.kill('SIGKILL');
}
