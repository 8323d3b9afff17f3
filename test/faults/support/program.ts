import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The program from its sources, in a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** `shell`: put in front, as `ulimit -f 100; exec`. */
export function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  directory: string,
  shell = 'exec',
): Program {
  const command = `${shell} "$0" "$@"`;
  const child = spawn(
    'bash',
    [
      '-c',
      command,
      process.execPath,
      '--import',
      `${root}node_modules/tsx/dist/esm/index.mjs`,
      `${root}src/cli.ts`,
      ...args,
    ],
    { cwd: directory, env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let out = '';
  let err = '';
  child.stdout.on('data', (part) => {
    out += String(part);
  });
  child.stderr.on('data', (part) => {
    err += String(part);
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  return { child, out: () => out, err: () => err, ended };
}

/** The address that a started program says it serves at. */
export async function addressOf(program: Program): Promise<string> {
  const giveUpAt = Date.now() + 40_000;
  for (;;) {
    const url = /"url":"(http:[^"]+)"/.exec(program.out())?.[1];
    if (url !== undefined) return url;
    if (Date.now() > giveUpAt || program.child.exitCode !== null)
      throw new Error(`it does not serve:\n${program.out()}\n${program.err()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
