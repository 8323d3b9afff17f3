import type { Config } from '../config.ts';
import type { NumbersApi, UpstreamFault } from '../ports/numbers-api.ts';
import type { Notebook } from '../ports/store/alerts.ts';
import type { SupplierApi } from '../ports/supplier-api.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

type UpstreamConfig = Pick<Config, 'mode' | 'buyer' | 'supplier' | 'pollIntervalMs'>;

interface UpstreamDeps {
  readonly numbers: Pick<NumbersApi, 'balance' | 'webhook'>;
  readonly supplier: Pick<SupplierApi, 'orders'>;
  readonly store: { readonly notebook: Pick<Notebook, 'read'> };
}

/** One read of each upstream, and where the provider delivers its webhooks. */
export async function examineUpstreams(
  config: UpstreamConfig,
  deps: UpstreamDeps,
): Promise<readonly Finding[]> {
  if (config.mode === 'sandbox') return [ok('upstreams', 'simulated inside while serving')];
  const [buyer, supplier] = await Promise.all([examineBuyer(config, deps), examineSupplier(config, deps)]);
  return [...buyer, ...supplier];
}

async function examineBuyer(
  { buyer, pollIntervalMs }: UpstreamConfig,
  deps: UpstreamDeps,
): Promise<readonly Finding[]> {
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
async function examineWebhook({ numbers, store }: UpstreamDeps): Promise<readonly Finding[]> {
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

async function examineSupplier(
  { supplier }: UpstreamConfig,
  deps: UpstreamDeps,
): Promise<readonly Finding[]> {
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
