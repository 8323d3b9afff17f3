import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createWorld } from '../../../src/sandbox/kernel/world.ts';
import { createBuyerSide } from '../../../src/sandbox/smscode/side.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const orderSchema = z.looseObject({
  id: z.int(),
  status: z.string(),
  amount: z.int(),
  sms_revision: z.int(),
});
const listSchema = z.object({ data: z.array(orderSchema) });
const ledgerSchema = z.looseObject({
  balance: z.int(),
  opening_balance: z.int(),
  charges: z.array(z.looseObject({ order_id: z.int(), amount: z.int() })),
  refunds: z.array(z.looseObject({ order_id: z.int(), amount: z.int() })),
});

/** A sandbox in memory alone. */
function openWorld(balance: number) {
  const clock = createFakeClock();
  const world = createWorld({ clock }, { buyer: (context) => createBuyerSide(context, {}) });
  const host = '127.0.0.1';
  const call = async (method: string, target: string, body: unknown, key?: string): Promise<unknown> => {
    const headers = { authorization: 'Bearer sandbox-token', 'idempotency-key': key };
    const outcome = await world
      .open({ method, target, headers })
      ?.finish(Buffer.from(body === undefined ? '' : JSON.stringify(body)));
    if (outcome?.kind !== 'answer') throw new Error('no answer');
    return JSON.parse(Buffer.from(outcome.reply.body).toString());
  };
  const steer = (method: string, path: string, body?: unknown): unknown => {
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const reply = world.control({
      method,
      target: `/_sandbox/${path}`,
      host,
      origin: undefined,
      body: bytes,
    });
    return JSON.parse(Buffer.from(reply.body).toString());
  };
  steer('POST', 'settings', {
    balance,
    rate_per_minute: null,
    minimum_cancel_seconds: 60,
    rental_seconds: 300,
    reactivation: 'always',
    abuse_guard: false,
  });
  return { clock, call, steer };
}

const FIRST_ORDER = 4_410_001;
const order = fc.integer({ min: 0, max: 30 }).map((at) => FIRST_ORDER + at);
/** Enough for a handful of orders, and for all that can be made. */
const balances = fc.constantFrom(60_000, 1_000_000);
const step = fc.oneof(
  fc.record({
    kind: fc.constant('create'),
    quantity: fc.integer({ min: 1, max: 4 }),
    key: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ kind: fc.constant('reactivate'), id: order, key: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constantFrom('cancel', 'finish', 'resend', 'sms', 'expire'), id: order }),
  fc.record({ kind: fc.constant('pass'), seconds: fc.integer({ min: 1, max: 120 }) }),
);

it('conserves money whatever is done: balance = opening - charges + refunds, and each order is paid for once', async () => {
  await fc.assert(
    fc.asyncProperty(balances, fc.array(step, { minLength: 5, maxLength: 60 }), async (start, steps) => {
      const { clock, call, steer } = openWorld(start);
      for (const now of steps) {
        if ('seconds' in now) clock.passNow(now.seconds * 1000);
        else if ('quantity' in now) {
          const body = { catalog_product_id: 6135, quantity: now.quantity };
          await call('POST', '/v1/orders/create', body, `key-${now.key}`);
        } else if ('key' in now)
          await call('POST', '/v1/orders/reactivate', { id: now.id }, `key-${now.key}`);
        else if (now.kind === 'sms') steer('POST', 'sms', { order_id: now.id, message: 'code 1234' });
        else if (now.kind === 'expire') steer('POST', `orders/${now.id}/expire`);
        else await call('POST', `/v1/orders/${now.kind}`, { id: now.id });
      }

      const { balance, opening_balance, charges, refunds } = ledgerSchema.parse(steer('GET', 'ledger'));
      const sum = (entries: readonly { amount: number }[]) =>
        entries.reduce((all, { amount }) => all + amount, 0);
      expect(balance).toBe(opening_balance - sum(charges) + sum(refunds));
      expect(balance).toBeGreaterThanOrEqual(0);
      const { data } = listSchema.parse(await call('GET', '/v1/orders?limit=100', undefined));
      const paid = data.map(({ id, amount }) => ({ order_id: id, amount }));
      expect(charges.map(({ order_id, amount }) => ({ order_id, amount }))).toEqual(paid.toReversed());
      const back = data
        .filter(({ status }) => status === 'CANCELED' || status === 'EXPIRED')
        .map(({ id, amount }) => ({ order_id: id, amount }));
      const sorted = refunds
        .map(({ order_id, amount }) => ({ order_id, amount }))
        .toSorted((one, other) => other.order_id - one.order_id);
      expect(sorted).toEqual(back);
      for (const { status, sms_revision } of data) {
        if (status === 'CANCELED' || status === 'EXPIRED') expect(sms_revision).toBe(0);
      }
    }),
    { numRuns: 150 },
  );
});
