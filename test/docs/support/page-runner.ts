import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { TestGateway } from '../../api/support/gateway.ts';
import type { Block } from './blocks.ts';
import { runShell } from './shell.ts';

export const project = join(import.meta.dirname, '../../..');
const tsx = join(dirname(fileURLToPath(import.meta.resolve('tsx/package.json'))), 'dist/loader.mjs');
/** Patience for a busy machine; a quiet one needs a second. */
const LONGEST = 50_000;
/** Where a reader puts in an id from above, as in "<the id that was claimed>". */
const PLACE_OF_ID = /<the [\w' ]*\bid\b[\w' ]*>/g;

/** Runs the blocks of one page in order, as a reader works through it. */
export interface PageRunner {
  /** Returns what the block printed or answered. */
  run(block: Block, variables: Block | null): Promise<string>;
}

/** `cwd` stands for the directory that the gateway was started in. */
export function createPageRunner(gateway: TestGateway, cwd: string): PageRunner {
  let setup = '';
  // The id that was answered last.
  let lastId: string | null = null;

  const shell = async (block: Block): Promise<string> => {
    const mark = block.mark?.kind === 'run' ? block.mark : null;
    const script = asHere(`${setup}\n${block.text}`.replaceAll(PLACE_OF_ID, lastId ?? ''), gateway);
    const env = {
      SWITCHBOARD_URL: gateway.graphql,
      SWITCHBOARD_KEY: gateway.key,
      LOG_LEVEL: 'warn',
      // What is pasted runs in the project's own directory, and finds its packages there.
      NODE_PATH: join(project, 'node_modules'),
    };
    const { output, exitCode } = await runShell(script, {
      cwd,
      env,
      until: mark?.until ?? null,
      milliseconds: LONGEST,
    });
    if (exitCode !== null && exitCode !== 0) throw new Error(`exit code ${exitCode}:\n${output}`);
    if (mark?.until && exitCode !== null) throw new Error(`ended without ${mark.until}:\n${output}`);
    return output;
  };

  const graph = async (block: Block, variables: Block | null): Promise<string> => {
    const given = JSON.parse((variables?.text ?? '{}').replaceAll(PLACE_OF_ID, lastId ?? ''));
    const answer = /^\s*subscription/m.test(block.text)
      ? await firstOf(gateway, block.text, given)
      : (await gateway.ask(block.text, given)).body;
    if (answer.errors !== undefined) throw new Error(`${block.text}\n${JSON.stringify(answer.errors)}`);
    lastId = idIn(answer.data) ?? lastId;
    return JSON.stringify(answer.data);
  };

  return {
    async run(block, variables) {
      const output = block.language === 'graphql' ? await graph(block, variables) : await shell(block);
      if (block.mark?.kind === 'setup') setup = `${setup}\n${block.text}`;
      return output;
    },
  };
}

/** The addresses and programs of a plain start, as they are in this test. */
function asHere(script: string, gateway: TestGateway): string {
  const node = `node --import ${pathToFileURL(tsx).href}`;
  const cli = isBuilt() ? `node ${project}/dist/cli.js` : `${node} ${project}/src/cli.ts`;
  return script
    .replaceAll('http://127.0.0.1:4000', gateway.url)
    .replaceAll('http://127.0.0.1:4010', gateway.app.sandbox?.url ?? '')
    .replaceAll('node dist/cli.js', cli)
    .replaceAll('npx tsx examples/', `${node} ${project}/examples/`)
    .replaceAll('python3 examples/', `python3 ${project}/examples/`);
}

/** What is built starts in a fourth of the time; but only what is built from these very sources says anything of them. */
function isBuilt(): boolean {
  const built = join(project, 'dist/cli.js');
  if (!existsSync(built)) return false;
  const builtAt = statSync(built).mtimeMs;
  const sources = readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' });
  return sources.every((path) => statSync(join(project, 'src', path)).mtimeMs <= builtAt);
}

async function firstOf(
  gateway: TestGateway,
  query: string,
  variables: Record<string, unknown>,
): Promise<{ data?: unknown; errors?: unknown }> {
  const client = createClient({
    url: gateway.websocket,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${gateway.key}` },
    retryAttempts: 0,
  });
  try {
    for await (const result of client.iterate({ query, variables })) return result;
    return { errors: 'the stream ended without anything' };
  } finally {
    await client.dispose();
  }
}

/** The first `id` in an answer, however deep. */
function idIn(value: unknown): string | null {
  if (!(value instanceof Object)) return null;
  if ('id' in value && typeof value.id === 'string') return value.id;
  for (const inner of Object.values(value)) {
    const found = idIn(inner);
    if (found !== null) return found;
  }
  return null;
}
