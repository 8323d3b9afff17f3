import { spawn } from 'node:child_process';

export interface ShellRun {
  readonly output: string;
  /** Null where it was ended because it had printed what was waited for. */
  readonly exitCode: number | null;
}

/**
 * Runs a script as a person would paste it, and gathers what it prints. `until`: ends it, and all it has started, once this was
 * printed. What takes longer than `milliseconds` fails, with what was printed so far.
 */
export function runShell(
  script: string,
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly until: string | null;
    readonly milliseconds: number;
  },
): Promise<ShellRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: options.cwd,
      env: { PATH: process.env['PATH'], HOME: options.cwd, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: a pipe's other end is ended along.
      detached: true,
    });
    let output = '';
    let isEnough = false;
    const end = (): void => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    const overdue = setTimeout(() => {
      end();
      reject(new Error(`not done in ${options.milliseconds} ms:\n${script}\nprinted:\n${output}`));
    }, options.milliseconds);
    const gather = (bytes: Buffer): void => {
      output += bytes.toString();
      if (options.until === null || isEnough || !output.includes(options.until)) return;
      isEnough = true;
      end();
    };
    child.stdout.on('data', gather);
    child.stderr.on('data', gather);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(overdue);
      resolve({ output, exitCode: isEnough ? null : code });
    });
  });
}
