import { describe, expect, it } from 'vitest';
import type { Evidence, Message } from './evidence.ts';
import { violations } from './violations.ts';

const first: Message = {
  orderId: 7,
  revision: 1,
  owner: 'anna',
  source: 'WEBHOOK',
  receivedAt: 1_000,
  ownerSequence: 1,
  sequence: 1,
};
const second: Message = {
  ...first,
  revision: 2,
  source: 'POLL',
  receivedAt: 2_000,
  ownerSequence: 2,
  sequence: 2,
};
const heard = [
  { orderId: 7, revision: 1, message: 'one' },
  { orderId: 7, revision: 2, message: 'two' },
];
const request = {
  side: 'buyer',
  key: 'key-a' as string | null,
  body: '{"quantity":1}',
  status: 200,
  from: 10,
  until: 20,
  beside: 0,
};

/** Of a run in which all went well. */
const good: Evidence = {
  asked: [{ caller: 'anna', job: 'a', quantity: 1 }],
  attempts: [{ id: 'attempt-a', caller: 'anna', job: 'a', key: 'key-a', state: 'RESOLVED', quantity: 1 }],
  orders: [{ id: 7, attemptId: 'attempt-a', status: 'COMPLETED', revision: 2 }],
  messages: [first, second],
  inbox: [{ orderId: 7, revision: 1, state: 'SETTLED' }],
  budgets: [{ caller: 'anna', spent: 500, reserved: 0 }],
  entries: [
    { caller: 'anna', orderId: null, kind: 'RESERVED', amount: 600 },
    { caller: 'anna', orderId: null, kind: 'FREED', amount: 600 },
    { caller: 'anna', orderId: 7, kind: 'SPENT', amount: 500 },
  ],
  claimed: ['s1', 's2'],
  openDeliveries: 0,
  charges: [{ orderId: 7, key: 'key-a', amount: 500 }],
  refunds: [],
  supplierClaims: ['s1', 's2'],
  supplierOrders: [{ id: 's1', status: 'completed' }],
  deliveredLines: [{ orderId: 's1', line: 'x' }],
  requests: [
    request,
    { ...request, from: 30, until: 40 },
    { ...request, side: 'supplier', key: null, beside: 1 },
  ],
  sent: heard,
  acknowledged: [{ orderId: 7, revision: 1, at: 1_001 }],
  planned: [{ orderId: 's1', lines: ['x'] }],
  followed: [
    { of: { kind: 'all' }, items: heard },
    { of: { kind: 'caller', name: 'anna' }, items: heard },
    { of: { kind: 'order', id: 7 }, items: heard },
  ],
  claimsSeen: [['s1', 's2']],
};
const [attempt] = good.attempts;
const [order] = good.orders;
const [charge] = good.charges;

const bad: readonly [what: string, change: Partial<Evidence>, words: RegExp][] = [
  [
    'a job charged twice under one key',
    { charges: [...good.charges, { ...must(charge), orderId: 8 }] },
    /charged for 2/,
  ],
  [
    'a charge under a key of nobody',
    { charges: [...good.charges, { orderId: 8, key: 'other', amount: 5 }] },
    /no attempt has/,
  ],
  [
    'a job with two attempts',
    { attempts: [must(attempt), { ...must(attempt), id: 'b', key: 'key-b' }] },
    /2 attempts/,
  ],
  ['a job that is not known', { attempts: [] }, /0 attempts/],
  ['a job that is never resolved', { attempts: [{ ...must(attempt), state: 'SENDING' }] }, /ends as SENDING/],
  ['an order that the gateway does not know', { orders: [] }, /the provider has made 7/],
  ['an order that stays open', { orders: [{ ...must(order), status: 'ACTIVE' }] }, /7 ends as ACTIVE/],
  [
    'a charge booked twice',
    { entries: [...good.entries, { caller: 'anna', orderId: 7, kind: 'SPENT', amount: 500 }] },
    /booked is 1000/,
  ],
  [
    'a refund that is not booked',
    { refunds: [{ orderId: 7, amount: 500 }] },
    /500 came back of 7, booked is 0/,
  ],
  [
    'a budget beside its lines',
    { budgets: [{ caller: 'anna', spent: 499, reserved: 0 }] },
    /do not add up to 499/,
  ],
  [
    'a reserve that stays',
    { budgets: [{ caller: 'anna', spent: 500, reserved: 600 }] },
    /600 of anna are still reserved/,
  ],
  [
    'two bodies under one key',
    { requests: [request, { ...request, from: 30, body: '{"quantity":2}' }] },
    /two bodies/,
  ],
  ['sends that overlap', { requests: [request, { ...request, from: 15 }] }, /overlap/],
  [
    'three calls to the supplier at once',
    { requests: [{ ...request, side: 'supplier', beside: 2 }] },
    /3 calls/,
  ],
  [
    'calls to the supplier that came too soon',
    { requests: [{ ...request, side: 'supplier', status: 429 }] },
    /refused 1 of 1/,
  ],
  [
    'a last message that is lost',
    { orders: [{ ...must(order), revision: 1 }] },
    /last message of 7 is 2, accepted is 1/,
  ],
  ['a webhook answered and not kept', { inbox: [] }, /0 times in the inbox/],
  ['a webhook kept twice', { inbox: [...good.inbox, ...good.inbox] }, /2 times in the inbox/],
  [
    'a webhook that is not worked off',
    { inbox: [{ orderId: 7, revision: 1, state: 'DEAD' }] },
    /not worked off/,
  ],
  ['a webhook that came to nothing', { messages: [] }, /came to nothing/],
  ['a webhook that a later poll passed over', { messages: [second] }, /passed over/],
  [
    'a message that a follower missed',
    { followed: [{ of: { kind: 'all' }, items: heard.slice(1) }] },
    /heard 7:2 as its number 0/,
  ],
  [
    'a message that a follower never got',
    { followed: [{ of: { kind: 'order', id: 7 }, items: heard.slice(0, 1) }] },
    /heard undefined as its number 1/,
  ],
  [
    'a message heard twice',
    { followed: [{ of: { kind: 'caller', name: 'anna' }, items: [...heard, ...heard.slice(1)] }] },
    /1 too many/,
  ],
  [
    'messages out of order',
    { followed: [{ of: { kind: 'all' }, items: heard.toReversed() }] },
    /heard 7:2 as its number 0/,
  ],
  [
    'another message than was sent',
    { followed: [{ of: { kind: 'all' }, items: heard.map((one) => ({ ...one, message: 'two' })) }] },
    /in other words/,
  ],
  ['a claim that is forgotten', { claimed: ['s1'] }, /claimed at the supplier are 2, known are 1/],
  ['a claim made twice', { supplierClaims: ['s1', 's2', 's2'] }, /claimed twice/],
  [
    'a line delivered twice',
    { deliveredLines: [...good.deliveredLines, ...good.deliveredLines] },
    /s1 was to get x, and got x,x/,
  ],
  ['a line that is lost', { deliveredLines: [] }, /s1 was to get x, and got $/],
  [
    'a supplier order that stays open',
    { supplierOrders: [{ id: 's1', status: 'processing' }] },
    /s1 ends as processing/,
  ],
  ['a delivery that stays open', { openDeliveries: 1 }, /1 deliveries are open/],
  ['claims seen out of order', { claimsSeen: [['s2', 's1']] }, /a follower saw 2 claims/],
];

describe('the checks of a run with several instances', () => {
  it('find nothing where all went well', () => {
    expect(violations(good)).toEqual([]);
  });

  it.each(bad)('find %s', (_what, change, words) => {
    expect(violations({ ...good, ...change }).join('\n')).toMatch(words);
  });
});

function must<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the good evidence is empty');
  return value;
}
