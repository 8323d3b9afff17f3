import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createBook,
  type Delivery,
  type OrderFilter,
  type SupplierBook,
} from '../../../src/sandbox/supplier/book.ts';
import { type SupplierEvent, supplierEvent } from '../../../src/sandbox/supplier/event.ts';
import { foldLine } from '../../../src/sandbox/supplier/lines.ts';
import {
  type OrderFacts,
  orderStatuses,
  type PaymentStatus,
  paymentStatuses,
} from '../../../src/sandbox/supplier/order.ts';

const START = Date.UTC(2026, 8, 2, 6, 40);
const MINUTE = 60_000;
let events: SupplierEvent[];
let book: SupplierBook;

beforeEach(() => {
  events = [];
  book = createBook((event) => events.push(event));
});

function place(id: string, facts: Partial<OrderFacts> = {}): void {
  book.place({
    id,
    quantity: 3,
    paymentStatus: 'completed',
    productType: 'manual',
    entityType: 'account',
    subCategory: 'gmail',
    createdAt: START,
    foreign: false,
    oddity: null,
    ...facts,
  });
}

function at(now: number, notFoundMs = 0) {
  return { now, request: 1, notFoundMs };
}

function deliver(order: string, accounts: unknown, more: Partial<Delivery> = {}, on = book) {
  const delivery = {
    order,
    status: 'partial',
    accounts,
    externalId: null,
    externalPrice: null,
    ...more,
  } as const;
  return on.deliver(delivery, at(START));
}

function pull(limit = 100, now = START): string[] {
  return book.pull(limit, at(now)).map((order) => order.facts.id);
}

const everything: OrderFilter = {
  statuses: null,
  paymentStatuses,
  productTypes: null,
  entityType: null,
  subCategory: null,
  createdFrom: null,
  createdTo: null,
  limit: 500,
  offset: 0,
};
function list(filter: Partial<OrderFilter> = {}, now = START): string[] {
  return book.list({ ...everything, ...filter }, now).map((order) => order.facts.id);
}

function order(id: string) {
  const found = book.orders().find(({ facts }) => facts.id === id);
  if (found === undefined) throw new Error(`no order ${id}`);
  return found;
}

describe('claiming', () => {
  it('takes the oldest first, each once', () => {
    for (const id of ['a', 'b', 'c']) place(id);
    expect(pull(2)).toEqual(['a', 'b']);
    expect(pull(2)).toEqual(['c']);
    expect(pull(2)).toEqual([]);
    expect(book.claims.map((claim) => claim.order)).toEqual(['a', 'b', 'c']);
    expect(order('a').status).toBe('processing');
  });

  it('takes paid manual orders alone', () => {
    for (const paymentStatus of paymentStatuses) place(paymentStatus, { paymentStatus });
    place('auto', { productType: 'auto' });
    place('inventory', { productType: 'inventory' });
    expect(pull()).toEqual(['completed', 'partial']);
  });

  it('takes a foreign order too, which is how its client comes to know of it', () => {
    place('theirs', { foreign: true });
    expect(pull()).toEqual(['theirs']);
  });

  it('never gives one order to two pulls, in whatever order pulls and orders come', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant('place'), fc.integer({ min: 1, max: 4 }))), (steps) => {
        book = createBook(() => {});
        const taken: string[] = [];
        steps.forEach((step, number) => {
          if (step === 'place') place(`order-${number}`);
          else if (typeof step === 'number') taken.push(...pull(step));
        });
        taken.push(...pull(500));
        expect(taken).toEqual(book.orders().map(({ facts }) => facts.id));
      }),
    );
  });
});

describe('the lease', () => {
  it('hides an order from both list calls for thirty minutes to the millisecond', () => {
    place('a');
    book.lease('a', START, at(START));
    const last = START + 30 * MINUTE - 1;
    expect(list({}, last)).toEqual([]);
    expect(pull(1, last)).toEqual([]);
    expect(list({}, last + 1)).toEqual(['a']);
    expect(pull(1, last + 1)).toEqual(['a']);
  });

  it('is let go by null, and hides from its own instant where that lies ahead', () => {
    place('a');
    book.lease('a', START + MINUTE, at(START));
    expect(list({}, START)).toEqual([]);
    expect(list({}, START + 31 * MINUTE - 1)).toEqual([]);
    book.lease('a', null, at(START));
    expect(list({}, START)).toEqual(['a']);
  });

  it('is written by nothing else', () => {
    place('a');
    pull();
    deliver('a', ['x']);
    list();
    expect(order('a').lastProcessTime).toBeNull();
  });
});

describe('listing', () => {
  it('changes nothing', () => {
    place('a');
    list();
    list();
    expect(events).toHaveLength(1);
    expect(pull()).toEqual(['a']);
  });

  it('filters by each field and pages oldest first', () => {
    place('a', { entityType: 'growth', createdAt: START });
    place('b', { subCategory: 'telegram', createdAt: START + 1 });
    place('c', { productType: 'auto', createdAt: START + 2 });
    place('d', { paymentStatus: 'refunded', createdAt: START + 3 });
    pull(1);
    expect(list({ statuses: ['processing'] })).toEqual(['a']);
    expect(list({ statuses: ['pending', 'refunded'] })).toEqual(['b', 'c', 'd']);
    expect(list({ paymentStatuses: ['refunded'] })).toEqual(['d']);
    expect(list({ productTypes: ['auto'] })).toEqual(['c']);
    expect(list({ entityType: 'growth' })).toEqual(['a']);
    expect(list({ subCategory: 'telegram' })).toEqual(['b']);
    expect(list({ createdFrom: START + 1, createdTo: START + 2 })).toEqual(['b', 'c']);
    expect(list({ limit: 2, offset: 1 })).toEqual(['b', 'c']);
  });
});

describe('delivering', () => {
  it('stores in rounds and closes by the last one', () => {
    place('a');
    pull();
    expect(deliver('a', ['one\r\ntwo'])).toEqual({ kind: 'done' });
    expect(order('a').status).toBe('processing');
    expect(deliver('a', ['TWO', 'three', 'four'], { status: 'completed' })).toEqual({ kind: 'done' });
    expect(order('a')).toMatchObject({ status: 'completed', lines: ['one', 'two', 'three'] });
    expect(book.lines.map((entry) => entry.line)).toEqual(['one', 'two', 'three']);
  });

  it('takes the same batch again, closed or not, and stays closed after a late partial', () => {
    place('a');
    for (const status of ['completed', 'completed', 'partial'] as const) {
      expect(deliver('a', ['one', 'two'], { status })).toEqual({ kind: 'done' });
      expect(order('a')).toMatchObject({ status: 'completed', lines: ['one', 'two'] });
    }
  });

  it('accepts completed short of the quantity, and takes a late line until it is full', () => {
    place('a');
    deliver('a', ['one'], { status: 'completed' });
    deliver('a', ['two', 'three', 'four']);
    expect(order('a').lines).toEqual(['one', 'two', 'three']);
  });

  it('says INVALID_ACCOUNTS only where the splitting leaves nothing', () => {
    place('a');
    const invalid = { kind: 'refused', code: 'INVALID_ACCOUNTS' };
    for (const accounts of [[], ['', ' \r\n\t'], [7, null], undefined, 'one']) {
      expect(deliver('a', accounts, { status: 'completed' })).toEqual(invalid);
    }
    expect(order('a').status).toBe('pending');
    deliver('a', ['one']);
    expect(deliver('a', ['ONE', 'one'])).toEqual({ kind: 'done' });
  });

  it('keeps external values where a call says nothing', () => {
    place('a');
    deliver('a', ['one'], { externalId: 'SUP-1', externalPrice: 12.5 });
    deliver('a', ['two'], { externalId: null, externalPrice: null });
    expect(order('a')).toMatchObject({ externalId: 'SUP-1', externalPrice: 12.5 });
    deliver('a', ['three'], { externalId: 'SUP-2', externalPrice: '13' });
    expect(order('a')).toMatchObject({ externalId: 'SUP-2', externalPrice: '13' });
  });

  it('refuses unpaid, foreign and unknown orders, and new ones while the provider does not find them', () => {
    const unpaid: PaymentStatus[] = ['pending', 'failed', 'refunded', 'processing'];
    for (const paymentStatus of unpaid) {
      place(paymentStatus, { paymentStatus });
      expect(deliver(paymentStatus, ['x'])).toEqual({ kind: 'refused', code: 'PAYMENT_NOT_COMPLETED' });
    }
    place('partly', { paymentStatus: 'partial' });
    expect(deliver('partly', ['x'])).toEqual({ kind: 'done' });
    place('theirs', { foreign: true });
    expect(deliver('theirs', ['x'])).toEqual({ kind: 'refused', code: 'ACCESS_DENIED' });
    expect(book.lease('theirs', START, at(START))).toEqual({ kind: 'refused', code: 'ACCESS_DENIED' });
    expect(deliver('nobody', ['x'])).toEqual({ kind: 'refused', code: 'ORDER_NOT_FOUND' });

    place('new');
    expect(book.lease('new', null, at(START + 1999, 2000))).toEqual({
      kind: 'refused',
      code: 'ORDER_NOT_FOUND',
    });
    expect(book.lease('new', null, at(START + 2000, 2000))).toEqual({ kind: 'done' });
  });
});

describe('whatever is delivered', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', ' ', '\n', '\r\n'), maxLength: 6 });
  const batch = fc.record({
    accounts: fc.array(line, { maxLength: 6 }),
    status: fc.constantFrom('partial', 'completed'),
  });

  it('stores distinct lines only, never more than ordered; a batch sent again changes nothing; the events replay', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(batch, { maxLength: 6 }), (quantity, batches) => {
        events = [];
        book = createBook((event) => events.push(event));
        place('a', { quantity });
        for (const { accounts, status } of batches) {
          const result = deliver('a', accounts, { status });
          const after = structuredClone(order('a'));
          expect(deliver('a', accounts, { status })).toEqual(result);
          expect(order('a')).toEqual(after);
          expect(after.lines.length).toBeLessThanOrEqual(quantity);
          expect(new Set(after.lines.map(foldLine)).size).toBe(after.lines.length);
        }
        const again = createBook(() => {});
        for (const event of events) again.apply(supplierEvent.parse(JSON.parse(JSON.stringify(event))));
        expect(again.orders()).toEqual(book.orders());
        expect(again.lines).toEqual(book.lines);
        expect(again.claims).toEqual(book.claims);
      }),
    );
  });

  it('shows no state of the money as a state of the order', () => {
    place('a', { paymentStatus: 'partial' });
    deliver('a', ['x'], { status: 'partial' });
    expect(orderStatuses).toContain(order('a').status);
  });
});
