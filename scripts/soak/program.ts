import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const probe = new URL('memory-probe.mjs', import.meta.url).href;
const START_LIMIT = 30_000;

/** The built program in a process of its own, with nothing of this one's settings. */
export interface Program {
  readonly child: ChildProcess;
  out(): string;
  /** Lines of the log so far that warn or worse; the rest is not kept. */
  warnings(): number;
  /** The last answer of the memory probe. */
  probes(): readonly { readonly rss: number; readonly heapUsed: number }[];
  readonly ended: Promise<number | null>;
}

export function start(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Program {
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, cli, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A run that fails half way leaves no process behind.
  process.once('exit', () => child.kill('SIGKILL'));
  let out = '';
  let warnings = 0;
  const probes: { rss: number; heapUsed: number }[] = [];
  child.stdout.on('data', (data) => {
    const text = String(data);
    // Kept to find the address in; a log of hours would be this process's leak.
    if (out.length < 100_000) out += text;
    warnings += text.match(/"level":(?:40|50|60|"warn"|"error")/g)?.length ?? 0;
  });
  child.stderr.on('data', (data) => {
    for (const line of String(data).split('\n')) {
      if (!line.startsWith('{"probe":true')) continue;
      const { rss, heapUsed } = JSON.parse(line);
      probes.push({ rss, heapUsed });
    }
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, out: () => out, warnings: () => warnings, probes: () => probes, ended };
}

/** The first thing that a started program prints which matches. @throws Error when it ends or takes too long. */
export async function printed(program: Program, what: RegExp): Promise<string> {
  for (let waited = 0; waited < START_LIMIT; waited += 50) {
    const found = what.exec(program.out())?.[1];
    if (found !== undefined) return found;
    if (program.child.exitCode !== null) break;
    await sleep(50);
  }
  throw new Error(`${what.source} was not printed:\n${program.out()}`);
}
