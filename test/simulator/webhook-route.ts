import { type Receipt, receiveWebhook } from '../../src/flows/sms/receive-webhook.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { WebhookTarget } from '../support/sandbox-world.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { Instance } from './machine.ts';
import type { Truth } from './truth.ts';

/** The provider's patience with a receiver. */
const TIMEOUT = 10_000;
/** Answers that do not reach the provider, so that it sends again what is stored. */
const LOST_ANSWERS = 0.1;

/** The way of webhooks: to any instance that lives, with answers lost now and then. */
export function createWebhookRoute(parts: {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly pick: () => Instance | null;
  /** Before what is committed is asked for. */
  readonly look: () => Promise<void>;
  readonly truth: () => Truth;
  readonly note: (line: string) => void;
}): WebhookTarget {
  const { clock, random, pick, look, truth, note } = parts;
  return async (body, signature) => {
    const instance = pick();
    if (instance === null) return null;
    const patience = new AbortController();
    const timeout = clock.sleep(TIMEOUT, patience.signal).then(() => null);
    const receipt = await Promise.race([receiveWebhook(instance.deps, body, signature), timeout]);
    patience.abort();
    const status = receipt === null ? null : statusOf(receipt);
    const envelope = instance.deps.webhooks.envelope(body);
    note(`${instance.name} answers ${status} to the webhook ${envelope.dedupeKey}`);
    if (status === 200) {
      await look();
      truth().acknowledge(envelope);
    }
    return random.chance(LOST_ANSWERS) ? null : status;
  };
}

/** As the webhook route of the server answers. */
function statusOf({ kind }: Receipt): number {
  switch (kind) {
    case 'stored':
    case 'duplicate':
      return 200;
    case 'rejected':
      return 400;
    case 'unsigned':
      return 401;
    case 'failed':
      return 503;
  }
}
