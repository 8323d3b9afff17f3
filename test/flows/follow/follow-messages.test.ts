import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SmsRevision } from '../../../src/domain/sms/accept.ts';
import { followAllMessages, followMessages } from '../../../src/flows/sms/follow-messages.ts';
import { settled } from '../../support/fake-clock.ts';
import { haveOrders, made, ofAlice, ofAll, openScripted, type TestGateway } from '../../support/gateway.ts';
import { bob, evidence, moment, must, orderId } from '../../support/values.ts';
import { seven } from '../support/acting.ts';

const ofBob = { kind: 'own', caller: bob } as const;

async function open(): Promise<TestGateway> {
  const gateway = await openScripted();
  await haveOrders(gateway.store, made());
  return gateway;
}

async function receive({ store, clock }: TestGateway, revision: number, id = seven): Promise<void> {
  await store.orders.record(made({ id, status: 'OTP_RECEIVED', evidence: evidence(revision) }), clock.now());
}

async function complete({ store, clock }: TestGateway, id = seven): Promise<void> {
  await store.orders.record(made({ id, status: 'COMPLETED' }), clock.now());
}

async function rest(items: AsyncIterableIterator<SmsRevision>): Promise<number[]> {
  const found: number[] = [];
  for await (const { revision } of items) found.push(revision);
  return found;
}

async function taken(items: AsyncIterator<SmsRevision>, count: number): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) found.push(must((await items.next()).value).revision);
  return found;
}

describe('the messages of one order', () => {
  it('are for those who may see it', async () => {
    const gateway = await open();
    expect(await followMessages(gateway.deps, ofBob, seven, -1)).toBeNull();
    expect(await followMessages(gateway.deps, ofAlice, orderId(8), -1)).toBeNull();
    expect(await followMessages(gateway.deps, ofAll, seven, -1)).not.toBeNull();
  });

  it('come from the beginning, then as they are accepted, and end with the order', async () => {
    const gateway = await open();
    await receive(gateway, 1);
    await receive(gateway, 2);
    const items = must(await followMessages(gateway.deps, ofAlice, seven, -1));
    expect(await taken(items, 2)).toEqual([1, 2]);
    const later = items.next();
    await receive(gateway, 4);
    expect((await later).value).toMatchObject({ revision: 4, message: 'message 4', source: 'POLL' });
    await complete(gateway);
    expect(await items.next()).toEqual({ value: undefined, done: true });
  });

  it('accepted between asking and reading come once', async () => {
    const gateway = await open();
    const items = must(await followMessages(gateway.deps, ofAlice, seven, -1));
    await receive(gateway, 1);
    expect(await taken(items, 1)).toEqual([1]);
    await receive(gateway, 2);
    await complete(gateway);
    expect(await rest(items)).toEqual([2]);
  });

  it('accepted with the end come before it', async () => {
    const gateway = await open();
    const items = must(await followMessages(gateway.deps, ofAlice, seven, -1));
    const first = items.next();
    await settled();
    await gateway.store.orders.record(made({ status: 'COMPLETED', evidence: evidence(1) }), moment(5));
    expect((await first).value).toMatchObject({ revision: 1 });
    expect(await rest(items)).toEqual([]);
  });

  it.each([
    [-1, [1, 2, 3]],
    [0, [1, 2, 3]],
    [1, [2, 3]],
    [3, []],
    [99, []],
    [-7, [1, 2, 3]],
  ])('after revision %d are %j', async (after, expected) => {
    const gateway = await open();
    for (const revision of [1, 2, 3]) await receive(gateway, revision);
    await complete(gateway);
    expect(await rest(must(await followMessages(gateway.deps, ofAlice, seven, after)))).toEqual(expected);
  });

  it('ahead of what is there are waited for', async () => {
    const gateway = await open();
    const items = must(await followMessages(gateway.deps, ofAlice, seven, 2));
    for (const revision of [1, 2, 3]) await receive(gateway, revision);
    expect(await taken(items, 1)).toEqual([3]);
  });

  it('of an order that has ended are told once more, and no others are waited for', async () => {
    const gateway = await open();
    await receive(gateway, 1);
    await complete(gateway);
    expect(await rest(must(await followMessages(gateway.deps, ofAlice, seven, -1)))).toEqual([1]);
  });

  it('are none left out and none twice, however often the client comes back', async () => {
    const gateway = await open();
    const script = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 5, maxLength: 30 });
    let id = 100;
    await fc.assert(
      fc.asyncProperty(script, async (turns) => {
        const order = orderId(++id);
        await haveOrders(gateway.store, made({ id: order }));
        const seen: number[] = [];
        let revision = 0;
        for (const wanted of turns) {
          // One accepted before it comes, one while it is there, and then it goes away with some unread.
          await receive(gateway, ++revision, order);
          const items = must(await followMessages(gateway.deps, ofAlice, order, seen.at(-1) ?? -1));
          await receive(gateway, ++revision, order);
          seen.push(...(await taken(items, Math.min(wanted, revision - seen.length))));
          await items.return?.();
        }
        await complete(gateway, order);
        seen.push(
          ...(await rest(must(await followMessages(gateway.deps, ofAlice, order, seen.at(-1) ?? -1)))),
        );
        expect(seen).toEqual(Array.from({ length: revision }, (_, n) => n + 1));
      }),
      { numRuns: 10 },
    );
  });

  it('more than a reading holds all come', async () => {
    const gateway = await open();
    const first = must(await followMessages(gateway.deps, ofAlice, seven, -1)).next();
    await settled();
    for (let revision = 1; revision <= 250; revision++) await receive(gateway, revision);
    await complete(gateway);
    expect((await first).value).toMatchObject({ revision: 1 });
    const all = await rest(must(await followMessages(gateway.deps, ofAlice, seven, -1)));
    expect(all).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
  });
});

describe('the messages of all orders', () => {
  it('come in the order of their acceptance, to those who may see them', async () => {
    const gateway = await open();
    await haveOrders(gateway.store, made({ id: orderId(8) }));
    await receive(gateway, 5);
    await receive(gateway, 1, orderId(8));
    await gateway.store.orders.record(made({ id: orderId(9), evidence: evidence(2) }), moment(0));
    await receive(gateway, 6);
    const beginning = { revision: -1, sequence: 0 };
    const orders = async (items: AsyncIterator<SmsRevision>, count: number) => {
      const found: string[] = [];
      while (found.length < count) {
        const { orderId: id, revision } = must((await items.next()).value);
        found.push(`${id}:${revision}`);
      }
      return found;
    };
    expect(await orders(followAllMessages(gateway.deps, ofAlice, beginning), 3)).toEqual([
      '7:5',
      '8:1',
      '7:6',
    ]);
    expect(await orders(followAllMessages(gateway.deps, ofAll, beginning), 4)).toEqual([
      '7:5',
      '8:1',
      '9:2',
      '7:6',
    ]);
    const theirs = followAllMessages(gateway.deps, ofBob, beginning);
    const nothing = theirs.next();
    await settled();
    await theirs.return?.();
    expect(await nothing).toMatchObject({ done: true });
  });

  it('above a revision, behind a sequence number', async () => {
    const gateway = await open();
    for (const revision of [1, 2, 3]) await receive(gateway, revision);
    const all = await gateway.store.orders.messagesAfter(ofAlice, 0, 9);
    const second = must(all[1]);
    const behind = (revision: number, sequence: number) =>
      followAllMessages(gateway.deps, ofAlice, { revision, sequence });
    expect(await taken(behind(-1, second.sequence), 1)).toEqual([3]);
    expect(await taken(behind(2, 0), 1)).toEqual([3]);
    const items = behind(-1, must(all[2]).sequence);
    const next = items.next();
    await receive(gateway, 4);
    expect((await next).value).toMatchObject({ revision: 4 });
  });

  it('go past any number that is filtered out', async () => {
    const gateway = await open();
    const items = followAllMessages(gateway.deps, ofAlice, { revision: 150, sequence: 0 });
    for (let revision = 1; revision <= 151; revision++) await receive(gateway, revision);
    expect(await taken(items, 1)).toEqual([151]);
  });
});
