import { openDeps } from '../app/open-deps.ts';
import { problemLine } from '../config/problem.ts';
import { type Config, loadConfig } from '../config.ts';
import { isUsable } from '../domain/callers.ts';
import type { Deps } from '../flows/deps.ts';
import type { UpstreamFault } from '../ports/numbers-api.ts';
import { createJsonLog } from '../server/json-log.ts';
import { createPrometheus } from '../server/prometheus.ts';
import { systemClock } from '../system-clock.ts';
import { systemRandom } from '../system-random.ts';
import { examineSurroundings } from './examine-surroundings.ts';
import { type Finding, note, ok, wrong } from './finding.ts';
import { paint, print } from './output.ts';

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
    const { config } = parsed;
    findings.push(ok('configuration', `${config.mode} mode`), ...(await examineSurroundings(config)));
    findings.push(...(await examineParts(config)));
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
    const now = systemClock.now();
    const keys = (await store.keys.list()).filter((key) => isUsable(key, now)).length;
    const known =
      keys === 0 && config.mode === 'live'
        ? [note('keys', 'there are none that are good: switchboard keys create')]
        : [];
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

async function examineBuyer({ buyer, pollIntervalMs }: Config, deps: Deps): Promise<readonly Finding[]> {
  const { numbers } = deps;
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
  return [found, ...secrets, ...(read.kind === 'read' ? await examineWebhook(deps) : [])];
}

/** Where the provider delivers to: nothing of the configuration tells, and without it every message waits for a poll. */
async function examineWebhook({ numbers, store }: Deps): Promise<readonly Finding[]> {
  const read = await numbers.webhook();
  // A token may be good for less than this; what it is good for was told above.
  if (read.kind !== 'read') return [note('webhooks', 'the provider does not tell where it delivers to')];
  const { url, disabledAt, consecutiveFailures } = read.value;
  const ours = await store.notebook.read('webhook-url');
  if (url === null) return [note('webhooks', 'the provider delivers to nowhere: connectUpstreamWebhook')];
  if (disabledAt !== null)
    return [
      wrong(
        'webhooks',
        'the provider has stopped delivering: repair the receiver, then connectUpstreamWebhook',
      ),
    ];
  if (ours !== null && url !== ours)
    return [
      wrong(
        'webhooks',
        'the provider delivers to another address than was connected here: connectUpstreamWebhook',
      ),
    ];
  if (consecutiveFailures > 0)
    return [
      wrong(
        'webhooks',
        `the last ${consecutiveFailures} deliveries were not taken: at ten the provider stops`,
      ),
    ];
  return [
    ok(
      'webhooks',
      ours === null ? 'are delivered, to an address that was not connected here' : 'are delivered here',
    ),
  ];
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
