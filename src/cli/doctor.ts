import { openDeps } from '../app/open-deps.ts';
import { problemLine } from '../config/problem.ts';
import { type Config, loadConfig } from '../config.ts';
import type { Deps } from '../flows/deps.ts';
import type { UpstreamFault } from '../ports/numbers-api.ts';
import { createJsonLog } from '../server/json-log.ts';
import { createPrometheus } from '../server/prometheus.ts';
import { systemClock } from '../system-clock.ts';
import { systemRandom } from '../system-random.ts';
import { paint, print } from './output.ts';

/** One thing looked at. */
interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly words: string;
}

const MARKS = {
  ok: { colour: 'green', mark: 'ok   ' },
  note: { colour: 'yellow', mark: 'note ' },
  wrong: { colour: 'red', mark: 'WRONG' },
} as const;

/** `switchboard doctor`: looks at configuration, database and each upstream (one read), and says in words what is wrong. */
export async function examine(): Promise<boolean> {
  const parsed = loadConfig('serve');
  const findings: Finding[] = parsed.warnings.map((warning) => note('configuration', problemLine(warning)));
  if (parsed.kind === 'invalid') {
    findings.push(...parsed.problems.map((problem) => wrong('configuration', problemLine(problem))));
  } else {
    findings.push(ok('configuration', `${parsed.config.mode} mode`), ...(await examineParts(parsed.config)));
  }
  for (const { what, state, words } of findings) {
    const { colour, mark } = MARKS[state];
    print(`${paint(colour, mark)}  ${what}: ${words}`);
  }
  return findings.every(({ state }) => state !== 'wrong');
}

async function examineParts(config: Config): Promise<readonly Finding[]> {
  const silent = createJsonLog('silent', process.stdout);
  const { metrics } = createPrometheus();
  const opened = await openDeps(config, {
    clock: systemClock,
    random: systemRandom,
    log: silent,
    metrics,
  }).catch((error: unknown) => wrong('database', `cannot be opened: ${messageOf(error)}`));
  if ('state' in opened) return [opened];
  try {
    const { store } = opened.deps;
    const database = await store.check().then(
      () => ok('database', 'open, migrated and writable'),
      (error: unknown) => wrong('database', `cannot be written to: ${messageOf(error)}`),
    );
    const keys = (await store.keys.list()).filter((key) => key.revokedAt === null).length;
    const known =
      keys === 0 && config.mode === 'live' ? [note('keys', 'there are none: switchboard keys create')] : [];
    return [database, ...known, ...(await examineUpstreams(config, opened.deps))];
  } finally {
    await opened.close();
  }
}

async function examineUpstreams(config: Config, deps: Deps): Promise<readonly Finding[]> {
  if (config.mode === 'sandbox') return [ok('upstreams', 'simulated inside while serving')];
  const [buyer, supplier] = await Promise.all([examineBuyer(config, deps), examineSupplier(config, deps)]);
  return [...buyer, ...supplier];
}

async function examineBuyer(
  { buyer, pollIntervalMs }: Config,
  { numbers }: Deps,
): Promise<readonly Finding[]> {
  if (buyer.kind === 'off') return [note('buyer upstream', 'off: SMSCODE_API_TOKEN is not set')];
  const read = await numbers.balance();
  const found =
    read.kind === 'read'
      ? ok('buyer upstream', 'answers, and takes the token')
      : wrong('buyer upstream', faultWords(read, 'SMSCODE_API_TOKEN', 'SMSCODE_BASE_URL'));
  const secrets =
    buyer.webhookSecrets.length > 0
      ? []
      : [
          note(
            'webhooks',
            `SMSCODE_WEBHOOK_SECRET is not set: each is refused${pollIntervalMs === 'off' ? '' : ', and polling alone finds messages'}`,
          ),
        ];
  return [found, ...secrets];
}

async function examineSupplier({ supplier }: Config, deps: Deps): Promise<readonly Finding[]> {
  if (supplier.kind === 'off') return [note('supplier upstream', 'off: SUPPLIER_API_KEY is not set')];
  const everything = {
    statuses: null,
    paymentStatuses: null,
    productTypes: null,
    entityType: null,
    subCategory: null,
    createdFrom: null,
    createdTo: null,
  };
  const read = await deps.supplier.orders(everything, { limit: 1, offset: 0 });
  if (read.kind === 'read') return [ok('supplier upstream', 'answers, and takes the key')];
  return [wrong('supplier upstream', faultWords(read, 'SUPPLIER_API_KEY', 'SUPPLIER_BASE_URL'))];
}

function faultWords(fault: UpstreamFault, secret: string, address: string): string {
  switch (fault.kind) {
    case 'not-configured':
      return `${secret} is not set.`;
    case 'unauthorized':
      return `refuses the secret (HTTP ${fault.httpStatus}). Set ${secret} to the one in force.`;
    case 'unavailable':
      return fault.httpStatus === null
        ? `gives no answer. Is ${address} right, and may this machine call out?`
        : `is in trouble itself (HTTP ${fault.httpStatus}). Try again later.`;
    case 'throttled':
      return 'asks to be left alone for now. Try again later.';
    case 'malformed':
      return `answers with something else than its contract says (HTTP ${fault.httpStatus}). Is ${address} right?`;
    case 'refused':
      return `refuses the read with ${fault.code} (HTTP ${fault.httpStatus}).`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'for an unknown reason';
}

function ok(what: string, words: string): Finding {
  return { what, state: 'ok', words };
}

function note(what: string, words: string): Finding {
  return { what, state: 'note', words };
}

function wrong(what: string, words: string): Finding {
  return { what, state: 'wrong', words };
}
