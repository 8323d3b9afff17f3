import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type TestGateway } from '../../api/support/gateway.ts';

export interface Scene {
  readonly gateway: TestGateway;
  /** Stands for the directory of a clone: with the sandbox's data/ in it. */
  readonly cwd: string;
  close(): Promise<void>;
}

/** The gateway as `npm start` serves it, but on free ports. */
export async function openScene(
  settings: Readonly<Record<string, unknown>> = {},
  env: Record<string, string> = {},
): Promise<Scene> {
  const cwd = mkdtempSync(join(tmpdir(), 'switchboard-docs-'));
  mkdirSync(join(cwd, 'data'));
  const dataDirectory = join(cwd, 'data');
  const gateway = await startGateway(
    { DATABASE_URL: `file:${dataDirectory}/switchboard.db`, ...env },
    { dataDirectory },
  );
  await gateway.control('settings', settings);
  return {
    gateway,
    cwd,
    async close() {
      await gateway.close();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}
