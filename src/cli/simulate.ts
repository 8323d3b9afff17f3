import { isLoopback } from '../config/addresses.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { explain } from './explain.ts';
import { CommandFailure, print, printError } from './output.ts';
import { readConfig } from './read-config.ts';

/** `switchboard sandbox`: both simulated upstreams alone. Each start is a new world: nothing is kept. */
export async function simulate(): Promise<void> {
  const { sandboxPort } = readConfig('store', printError);
  const sandbox = await startSandbox({ port: sandboxPort }).catch((error: unknown) => {
    throw new CommandFailure(explain(error, sandboxPort));
  });
  if (!isLoopback(new URL(sandbox.origin).hostname)) throw new Error('the sandbox must be on loopback');
  const lines = [
    '',
    '  Both upstreams, simulated: nothing costs anything, nothing is kept',
    '',
    `  SMSCode v1   ${sandbox.origin}/v1   (token sandbox-token, webhook secret sandbox-secret)`,
    `  Supplier v2  ${sandbox.origin}/api/admin/v2   (key sandbox-key)`,
    `  Controls     ${sandbox.origin}/_sandbox/`,
    '',
  ];
  for (const line of lines) print(line);
  const stop = (): void => {
    void sandbox.close().finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}
