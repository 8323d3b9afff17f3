import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Agenda } from '../kernel/agenda.ts';
import { type Clock, instant } from '../kernel/clock.ts';
import type { Faults } from '../kernel/faults.ts';
import type { Journal } from '../kernel/journal.ts';
import type { WebhookPost } from './post-webhook.ts';
import type { BuyerSettings } from './settings.ts';
import type { WebhookConfigs } from './webhook-config.ts';

const deliverySchema = z.object({
  id: z.int(),
  event: z.string(),
  orderId: z.int(),
  body: z.string(),
  /** Attempts that failed. */
  attempts: z.int(),
  /** Epoch milliseconds. */
  due: z.number(),
});

type Delivery = z.output<typeof deliverySchema>;

/** One attempt, as the ledger shows it. */
export type DeliveryAttempt = {
  readonly at: string;
  readonly event: string;
  readonly order_id: number;
  readonly attempt: number;
  /** null: not reached, or no answer in time. */
  readonly status: number | null;
};

export type Webhooks = {
  /** Sends an order event and sees to its retries; where no delivery is possible now, the event is lost. */
  tell(event: string, orderId: number, body: string): void;
  /** One attempt at once, whatever the state; the endpoint's status, null where there was none. */
  test(url: string): Promise<number | null>;
  pending(): number;
  attempts(): readonly DeliveryAttempt[];
  stop(): void;
};

type Parts = {
  readonly clock: Clock;
  readonly agenda: Agenda;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly config: WebhookConfigs;
  readonly settings: () => BuyerSettings;
  readonly post: WebhookPost;
};

/** What a fault does to an attempt that is made. */
type Spoiling = 'webhook_duplicate' | 'webhook_bad_signature' | null;

const MOST_UNDER_WAY = 64;
const ATTEMPTS_SHOWN = 10_000;

export function openWebhooks({ clock, agenda, journal, faults, config, settings, post }: Parts): Webhooks {
  const pending = new Map<number, Delivery>();
  const waiting: { readonly delivery: Delivery; readonly fault: Spoiling }[] = [];
  /** Held back until another one has been sent. */
  let overtaken: Delivery[] = [];
  let attempts: DeliveryAttempt[] = [];
  let underWay = 0;
  let nextId = 1;
  let stopped = false;

  function plan(delivery: Delivery, due: number): void {
    delivery.due = due;
    journal.put('delivery', delivery.id, delivery);
    agenda.at(due, () => begin(delivery));
  }

  function forget(delivery: Delivery): void {
    pending.delete(delivery.id);
    journal.put('delivery', delivery.id, undefined);
  }

  function begin(delivery: Delivery): void {
    if (!pending.has(delivery.id)) return;
    const fault = faults.takeForDelivery(delivery);
    switch (fault?.kind) {
      case 'webhook_drop':
        forget(delivery);
        return;
      case 'webhook_delay':
        plan(delivery, clock.now() + fault.ms);
        return;
      case 'webhook_reorder':
        overtaken.push(delivery);
        agenda.at(clock.now() + fault.ms, () => release(delivery));
        return;
      case 'webhook_duplicate':
      case 'webhook_bad_signature':
      case undefined:
        queue(delivery, fault?.kind ?? null);
    }
  }

  function release(delivery: Delivery): void {
    if (!overtaken.includes(delivery)) return;
    overtaken = overtaken.filter((other) => other !== delivery);
    queue(delivery, null);
  }

  function queue(delivery: Delivery, fault: Spoiling): void {
    if (underWay >= MOST_UNDER_WAY) {
      waiting.push({ delivery, fault });
      return;
    }
    underWay++;
    void attempt(delivery, fault).finally(() => {
      underWay--;
      journal.commit();
      const next = waiting.shift();
      if (next !== undefined && !stopped) queue(next.delivery, next.fault);
    });
  }

  async function attempt(delivery: Delivery, fault: Spoiling): Promise<void> {
    const { url, disabledAt } = config.read();
    if (url === null || disabledAt !== null || !settings().webhooks) {
      forget(delivery);
      return;
    }
    const signature = fault === 'webhook_bad_signature' ? BAD_SIGNATURE : sign(delivery.body);
    if (fault === 'webhook_duplicate') await post.send(url, delivery.body, signature, timeoutMs());
    const status = await post.send(url, delivery.body, signature, timeoutMs());
    // Not settled by the end: the journal still has it, and the next start sends it again.
    if (stopped) return;
    note(delivery, status);
    settle(delivery, status);
    for (const held of overtaken) release(held);
  }

  function settle(delivery: Delivery, status: number | null): void {
    if (status !== null && status >= 200 && status < 300) {
      config.succeeded();
      forget(delivery);
      return;
    }
    config.failed(clock.now());
    // Dropped while it was under way.
    if (!pending.has(delivery.id)) return;
    const wait = settings().webhook_retry_seconds[delivery.attempts];
    delivery.attempts++;
    if (config.read().disabledAt !== null) dropAll();
    else if (wait === undefined) forget(delivery);
    else plan(delivery, clock.now() + wait * 1000);
  }

  /** Delivery has been disabled: what is still to be sent is lost with it. */
  function dropAll(): void {
    for (const delivery of pending.values()) forget(delivery);
  }

  function note({ event, orderId, attempts: before }: Delivery, status: number | null): void {
    attempts.push({ at: instant(clock.now()), event, order_id: orderId, attempt: before + 1, status });
    if (attempts.length >= 2 * ATTEMPTS_SHOWN) attempts = attempts.slice(-ATTEMPTS_SHOWN);
  }

  function sign(body: string): string | null {
    const { secret } = config.read();
    return secret === null ? null : signature(secret, body);
  }

  function timeoutMs(): number {
    return settings().webhook_timeout_seconds * 1000;
  }

  for (const [, value] of journal.entries('delivery')) {
    const delivery = deliverySchema.parse(value);
    pending.set(delivery.id, delivery);
    nextId = Math.max(nextId, delivery.id + 1);
    agenda.at(delivery.due, () => begin(delivery));
  }

  return {
    tell(event, orderId, body) {
      const { url, disabledAt } = config.read();
      if (url === null || disabledAt !== null || !settings().webhooks) return;
      const delivery = { id: nextId++, event, orderId, body, attempts: 0, due: clock.now() };
      pending.set(delivery.id, delivery);
      plan(delivery, delivery.due);
    },
    test(url) {
      const body = JSON.stringify({
        event: 'webhook.test',
        timestamp: instant(clock.now()),
        data: { message: 'This is a test delivery.' },
      });
      return post.send(url, body, sign(body), timeoutMs());
    },
    pending: () => pending.size,
    attempts: () => attempts.slice(-ATTEMPTS_SHOWN),
    stop() {
      stopped = true;
      post.stop();
    },
  };
}

const BAD_SIGNATURE = `sha256=${'0'.repeat(64)}`;

/** The header's value: over the exact bytes that are sent, with the secret's text as the key. */
export function signature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
