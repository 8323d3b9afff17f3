import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../src/app/open-store.ts';
import { type App, type AppOverrides, startApp } from '../../../src/app.ts';
import { parseConfig } from '../../../src/config.ts';
import type { Scope } from '../../../src/domain/access.ts';
import { type KeyId, parseKeyId } from '../../../src/domain/ids.ts';
import type { Rupiah } from '../../../src/domain/money.ts';
import type { Instant } from '../../../src/domain/time.ts';
import { hashGatewayKey, makeGatewayKey } from '../../../src/server/gateway-key.ts';
import { createJsonLog } from '../../../src/server/json-log.ts';
import { systemClock } from '../../../src/system-clock.ts';
import { systemRandom } from '../../../src/system-random.ts';
import { createInProcessWake } from '../../../src/wake/in-process.ts';
import { caller, must } from '../../support/values.ts';
import { createDatabase } from './database.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: GraphBody;
}

export interface GraphBody {
  // biome-ignore lint/suspicious/noExplicitAny: what a public client sees is untyped JSON
  readonly data?: any;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

export interface TestGateway {
  readonly app: App;
  readonly url: string;
  readonly graphql: string;
  readonly websocket: string;
  /** The ready key of sandbox mode: caller `sandbox`, all scopes. */
  readonly key: string;
  readonly directory: string;
  /** DATABASE_URL of the gateway. */
  readonly databaseUrl: string;
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** A stored key, made as the program makes them: by another connection to the same database. */
  makeKey(
    name: string,
    scopes?: readonly Scope[],
    bounds?: { readonly expiresAt?: Instant | null; readonly budgetLimit?: Rupiah | null },
  ): Promise<{ key: string; id: KeyId }>;
  revoke(id: KeyId): Promise<void>;
  /** A POST of JSON with a key. */
  ask(
    query: string,
    variables?: unknown,
    key?: string | null,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** A control call of the simulated upstreams. */
  control(path: string, body?: unknown): Promise<unknown>;
  /** Makes every write of the database fail from now on. */
  breakStore(): Promise<void>;
  close(): Promise<void>;
}

/** The real gateway over the real sandbox, on free ports, in a directory of its own. Quick: numbers come at once, messages when asked for. */
export async function startGateway(
  env: Record<string, string> = {},
  overrides: AppOverrides = {},
): Promise<TestGateway> {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-'));
  const database = await createDatabase(directory);
  const parsed = parseConfig({
    PORT: '0',
    SANDBOX_PORT: '0',
    DATABASE_URL: database.url,
    PRODUCT_MAX_AGE_SECONDS: '60',
    ...env,
  });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  const log: string[] = [];
  const app = await startApp(parsed.config, {
    log: createJsonLog('debug', { write: (line) => log.push(line) }),
    dataDirectory: directory,
    ...(overrides.clock !== undefined && { serverClock: overrides.clock }),
    ...overrides,
  });
  const sandbox = app.sandbox?.url ?? '';
  const key = app.sandbox?.key ?? '';

  const withStore = async <Value>(
    work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<Value>,
  ): Promise<Value> => {
    const wake = createInProcessWake(() => undefined);
    const store = await openStore(parsed.config, { clock: systemClock, random: systemRandom, wake });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const ask: TestGateway['ask'] = async (query, variables, asker = key, headers = {}) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(asker !== null && { authorization: `Bearer ${asker}` }),
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
    });
    return readAnswer(response);
  };
  const control: TestGateway['control'] = async (path, body) => {
    const response = await fetch(`${sandbox}/_sandbox/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  if (app.sandbox !== null) await control('settings', { number_delay_seconds: 0, sms_delay_seconds: null });

  return {
    app,
    url: app.url,
    graphql: `${app.url}/graphql`,
    websocket: `${app.url.replace('http', 'ws')}/graphql`,
    key,
    directory,
    databaseUrl: database.url,
    log,
    makeKey: (name, scopes = ['BUYER'], { expiresAt = null, budgetLimit = null } = {}) =>
      withStore(async (store) => {
        const made = makeGatewayKey();
        const id = must(parseKeyId(`key_${systemRandom.token()}`));
        await store.keys.create(
          {
            id,
            hash: hashGatewayKey(made),
            caller: caller(name),
            scopes,
            expiresAt,
            budgetLimit,
          },
          { kind: 'shell' },
        );
        return { key: made, id };
      }),
    revoke: (id) =>
      withStore(async (store) => {
        await store.keys.revoke(id, { kind: 'shell' });
      }),
    ask,
    control,
    breakStore: () => database.refuseInserts(['inbox', 'settings']),
    async close() {
      await app.close();
      await database.drop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: GraphBody = {};
  try {
    body = JSON.parse(text);
  } catch {
    // Not every answer is JSON; the test looks at the text then.
  }
  return { status: response.status, headers: response.headers, text, body };
}

export function codeOf(answer: Pick<Answer, 'body'>): unknown {
  return answer.body.errors?.[0]?.extensions?.['code'];
}

/** Waits until it holds, looking often; fails after so many milliseconds. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  milliseconds = 5_000,
): Promise<void> {
  const giveUpAt = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error(`did not come about in ${milliseconds} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
