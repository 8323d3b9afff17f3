import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Script {
  readonly process: ChildProcess;
  /** The next line of its output. */
  line(): Promise<string>;
  /** Its exit code or the signal that ended it, once it has ended. */
  readonly ended: Promise<number | string | null>;
  tell(line: string): void;
}

/** Starts one of the scripts (../scripts) as a process of its own. Its errors are the test's. */
export function runScript(name: string, ...args: readonly string[]): Script {
  const script = fileURLToPath(new URL(`../scripts/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let rest = '';
  let onChange: () => void = () => undefined;
  let isOver = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    onChange();
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => {
      isOver = true;
      onChange();
      resolve(code ?? signal);
    });
  });
  return {
    process: child,
    ended,
    async line() {
      for (;;) {
        const line = lines.shift();
        if (line !== undefined) return line;
        if (isOver) throw new Error(`${name} ended without another line`);
        await new Promise<void>((resolve) => {
          onChange = resolve;
        });
      }
    },
    tell: (line) => child.stdin.write(`${line}\n`),
  };
}
