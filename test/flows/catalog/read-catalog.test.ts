import { describe, expect, it } from 'vitest';
import type { Product } from '../../../src/domain/catalog/product.ts';
import { rupiah } from '../../../src/domain/money.ts';
import type { Offer } from '../../../src/domain/orders/admit-create.ts';
import type { Routing } from '../../../src/domain/orders/attempt.ts';
import type { CatalogReader } from '../../../src/flows/catalog/read-catalog.ts';
import type { NumbersApi, ReadReply, UpstreamFault } from '../../../src/ports/numbers-api.ts';
import { type GatewayOptions, openScripted, type TestGateway } from '../../support/gateway.ts';
import type { ScriptedNumbers } from '../../support/scripted-numbers.ts';
import {
  aProduct,
  catalogProductId,
  countryId,
  moment,
  operatorId,
  platformId,
  productId,
} from '../../support/values.ts';

const fault: UpstreamFault = { kind: 'unavailable', httpStatus: 503, retryAfterSeconds: null };
const here = aProduct();
const elsewhere = aProduct({
  id: productId(71),
  catalogProductId: catalogProductId(89),
  countryId: countryId(7),
});
const ofOperator = aProduct({ id: productId(72), operatorId: operatorId(3), price: rupiah(9_000) });
const stable = catalogProductId(88);
const plain: Routing = { operatorId: null, minPrice: null, policy: null, preferProvider: null };

type Gateway = TestGateway & {
  readonly upstream: ScriptedNumbers;
  list(...products: readonly Product[]): void;
};

/** A provider with these tiers: without an operator in the question, it lists only those that have none. */
async function open(
  options: Partial<GatewayOptions> = {},
  script: Partial<NumbersApi> = {},
): Promise<Gateway> {
  let products: readonly Product[] = [here, elsewhere, ofOperator];
  const gateway = await openScripted({}, options);
  const read = <Value>(value: Value): ReadReply<Value> => ({
    kind: 'read',
    value,
    readAt: gateway.clock.now(),
  });
  gateway.upstream.script({
    products: async (filter) =>
      read(
        products.filter(
          (product) =>
            (filter.countryId === null || product.countryId === filter.countryId) &&
            (filter.platformId === null || product.platformId === filter.platformId) &&
            product.operatorId === filter.operatorId,
        ),
      ),
    countries: async () =>
      read([{ id: countryId(6), code: 'ID', name: 'Indonesia', dialCode: '62', emoji: null, active: true }]),
    services: async () => read([{ id: platformId(1), code: 'tg', name: 'Telegram', active: true }]),
    operators: async () => read([{ operatorId: operatorId(3), code: 'op', name: null, localName: null }]),
    exchangeRate: async (pair) =>
      read({ pair, base: 'USD', quote: 'IDR', rate: rupiah(16_000), asOf: gateway.clock.now() }),
    ...script,
  });
  return {
    ...gateway,
    list(...more) {
      products = more;
    },
  };
}

function catalogOf({ deps }: TestGateway): CatalogReader {
  return deps.catalog;
}

function value<Value>(reply: ReadReply<Value>): Value {
  if (reply.kind !== 'read') throw new Error(`the read came to ${reply.kind}`);
  return reply.value;
}

async function offered(
  gateway: TestGateway,
  routing: Routing | null = null,
  maxAge = 10_000,
): Promise<Offer> {
  return value(await catalogOf(gateway).offer(stable, routing, maxAge));
}

describe('the whole catalog', () => {
  it('is read once while it is fresh, and again when it is older than asked for', async () => {
    const gateway = await open();
    const reader = catalogOf(gateway);
    expect(value(await reader.whole(false)).products).toEqual([here, elsewhere]);
    await gateway.clock.pass(60_000);
    await reader.whole(false);
    expect(gateway.upstream.count('products')).toBe(1);
    await gateway.clock.pass(1);
    const again = await reader.whole(false);
    expect(gateway.upstream.count('products')).toBe(2);
    expect(again).toMatchObject({ readAt: moment(60_001) });
  });

  it('is read for many askers once', async () => {
    const gateway = await open();
    const reads = await Promise.all(Array.from({ length: 20 }, () => catalogOf(gateway).whole(false)));
    expect(gateway.upstream.count('products')).toBe(1);
    expect(new Set(reads.map(value)).size).toBe(1);
  });

  it('is read anew when that is asked for', async () => {
    const gateway = await open();
    await catalogOf(gateway).whole(false);
    gateway.list(elsewhere);
    expect(value(await catalogOf(gateway).whole(true)).products).toEqual([elsewhere]);
    expect(value(await catalogOf(gateway).whole(false)).products).toEqual([elsewhere]);
    expect(gateway.upstream.count('products')).toBe(2);
  });

  it('that could not be read is told as such, and the old one is not taken for it', async () => {
    const gateway = await open();
    await catalogOf(gateway).whole(false);
    gateway.upstream.script({ products: async () => fault });
    await gateway.clock.pass(60_001);
    expect(await catalogOf(gateway).whole(false)).toEqual(fault);
    expect(catalogOf(gateway).lastKnown()?.products).toEqual([here, elsewhere]);
  });

  it('is worth having without names of countries and platforms', async () => {
    const gateway = await open({}, { countries: async () => fault, services: async () => fault });
    const catalog = value(await catalogOf(gateway).whole(false));
    expect([catalog.products.length, catalog.countries.size]).toEqual([2, 0]);
  });

  it('keeps the names it had when they cannot be read again', async () => {
    const gateway = await open();
    await catalogOf(gateway).whole(false);
    gateway.upstream.script({ countries: async () => fault, services: async () => fault });
    await gateway.clock.pass(3_600_001);
    const catalog = value(await catalogOf(gateway).whole(false));
    expect([catalog.countries.size, catalog.platforms.size]).toEqual([1, 1]);
  });

  it('has the tiers of operators where they are named', async () => {
    const gateway = await open();
    const catalog = value(await catalogOf(gateway).whole(false, [operatorId(3)]));
    expect(catalog.products).toEqual([here, elsewhere, ofOperator]);
    await catalogOf(gateway).whole(false, [operatorId(3), operatorId(3)]);
    expect(gateway.upstream.calls.filter((call) => call.startsWith('products'))).toEqual([
      'products any/any/any',
      'products any/any/3',
    ]);
  });

  it('of unknown age, since the clock was set back, is read again', async () => {
    const gateway = await open();
    const { store, deps } = gateway;
    await catalogOf(gateway).whole(false);
    const earlier = { ...deps.clock, now: () => moment(-3_600_000) };
    const { createCatalogReader } = await import('../../../src/flows/catalog/read-catalog.ts');
    let now = moment(0);
    const reader = createCatalogReader({
      numbers: deps.numbers,
      seen: store.seenProducts,
      clock: { ...earlier, now: () => now },
      log: deps.log,
      maxAge: 60_000,
    });
    await reader.whole(false);
    now = moment(-3_600_000);
    await reader.whole(false);
    expect(gateway.upstream.count('products')).toBe(3);
  });
});

describe('an offer', () => {
  it('that was never seen is looked for in a reading of everything', async () => {
    const gateway = await open();
    expect(await offered(gateway)).toEqual({ tiers: [here], lastKnown: here });
    expect(gateway.upstream.count('products')).toBe(1);
    const unknown = value(await catalogOf(gateway).offer(catalogProductId(99), null, 10_000));
    expect(unknown).toEqual({ tiers: [], lastKnown: null });
    expect(gateway.upstream.count('products')).toBe(1);
  });

  it('is taken from the whole while that is fresh enough for a create', async () => {
    const gateway = await open();
    await catalogOf(gateway).whole(false);
    await gateway.clock.pass(10_000);
    expect((await offered(gateway)).tiers).toEqual([here]);
    expect(gateway.upstream.count('products')).toBe(1);
  });

  it('is read at its own place when the whole is older than that, and kept as long', async () => {
    const gateway = await open();
    await catalogOf(gateway).whole(false);
    await gateway.clock.pass(10_001);
    gateway.list({ ...here, price: rupiah(6_000) });
    expect((await offered(gateway)).tiers).toMatchObject([{ price: 6_000 }]);
    await gateway.clock.pass(10_000);
    await offered(gateway);
    expect(gateway.upstream.calls.filter((call) => call.startsWith('products'))).toEqual([
      'products any/any/any',
      'products 6/1/any',
    ]);
    await gateway.clock.pass(1);
    await offered(gateway);
    expect(gateway.upstream.count('products')).toBe(3);
  });

  it('is read for many askers once', async () => {
    const gateway = await open();
    await catalogOf(gateway).whole(false);
    await gateway.clock.pass(20_000);
    await Promise.all(Array.from({ length: 20 }, () => offered(gateway)));
    expect(gateway.upstream.count('products')).toBe(2);
  });

  it('that is listed no more is known by its last tier', async () => {
    const gateway = await open();
    await catalogOf(gateway).whole(false);
    gateway.list(elsewhere);
    await gateway.clock.pass(20_000);
    expect(await offered(gateway)).toEqual({ tiers: [], lastKnown: here });
  });

  it('is known from before a restart: sold out is not unknown', async () => {
    const first = await open();
    await catalogOf(first).whole(false);
    await first.clock.pass(1);
    const { database, clock } = first;
    const gateway = await open({ database, clock, seed: 2 });
    gateway.list(elsewhere);
    expect(await offered(gateway)).toEqual({ tiers: [], lastKnown: here });
    expect(gateway.upstream.calls).toEqual(['products 6/1/any']);
  });

  it('of a tier without a place is looked for in everything', async () => {
    const gateway = await open();
    const nowhere = { ...here, countryId: null };
    gateway.list(nowhere);
    await catalogOf(gateway).whole(false);
    await gateway.clock.pass(20_000);
    expect((await offered(gateway)).tiers).toEqual([nowhere]);
    expect(gateway.upstream.calls.filter((call) => call.startsWith('products'))).toHaveLength(2);
  });

  it.each([
    ['when nothing is known', false],
    ['when its place is known', true],
  ])('that could not be read is a fault: %s', async (_, isKnown) => {
    const gateway = await open();
    if (isKnown) await catalogOf(gateway).whole(false);
    await gateway.clock.pass(20_000);
    gateway.upstream.script({ products: async () => fault });
    expect(await catalogOf(gateway).offer(stable, null, 10_000)).toEqual(fault);
    // A failed reading is not kept.
    gateway.upstream.script({
      products: async () => ({ kind: 'read', value: [here], readAt: gateway.clock.now() }),
    });
    expect((await offered(gateway)).tiers).toEqual([here]);
  });

  it('goes on though the tiers could not be remembered', async () => {
    const gateway = await open({
      spoil: (store) => ({
        ...store,
        seenProducts: { ...store.seenProducts, remember: () => Promise.reject(new Error('disk full')) },
      }),
    });
    expect((await offered(gateway)).tiers).toEqual([here]);
    await gateway.clock.pass(1);
    expect(gateway.lines.map(({ level }) => level)).toContain('error');
  });

  it.each<[string, Routing, readonly Product[]]>([
    ['nothing', plain, [here]],
    ['an operator: its tiers alone', { ...plain, operatorId: operatorId(3) }, [ofOperator]],
    ['the best success: any tier of any operator', { ...plain, policy: 'BEST_SUCCESS' }, [here, ofOperator]],
    ['a preferred provider: any tier', { ...plain, preferProvider: 'acme' }, [here, ofOperator]],
    ['a lowest price: what is listed without being asked for', { ...plain, minPrice: rupiah(1) }, [here]],
    ['the cheapest, which is what is listed', { ...plain, policy: 'CHEAPEST' }, [here]],
  ])('with a routing that asks for %s', async (_, routing, tiers) => {
    const gateway = await open();
    await catalogOf(gateway).whole(false);
    expect((await offered(gateway, routing)).tiers).toEqual(tiers);
  });
});

describe('what changes seldom', () => {
  it('is kept for its time', async () => {
    const gateway = await open();
    const reader = catalogOf(gateway);
    const readAll = async (): Promise<void> => {
      await reader.countries();
      await reader.services(null);
      await reader.services(countryId(6));
      await reader.operators(countryId(6), platformId(1));
      await reader.exchangeRate('USD/IDR');
    };
    await readAll();
    await gateway.clock.pass(60_000);
    await readAll();
    expect(gateway.upstream.calls).toHaveLength(5);
    await gateway.clock.pass(1);
    await readAll();
    expect(gateway.upstream.calls.slice(5)).toEqual(['services 6', 'exchangeRate USD/IDR']);
    await gateway.clock.pass(300_000);
    await reader.operators(countryId(6), platformId(1));
    await reader.countries();
    expect(gateway.upstream.calls.slice(7)).toEqual(['operators 6 1']);
    await gateway.clock.pass(3_300_000);
    await reader.countries();
    await reader.services(null);
    expect(gateway.upstream.calls.slice(8)).toEqual(['countries', 'services all']);
  });

  it('is not kept when it could not be read', async () => {
    const gateway = await open({}, { countries: async () => fault });
    expect(await catalogOf(gateway).countries()).toEqual(fault);
    await catalogOf(gateway).countries();
    expect(gateway.upstream.count('countries')).toBe(2);
  });
});
