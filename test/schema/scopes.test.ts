import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../src/domain/access.ts';
import { schema } from '../../src/resolvers/index.ts';
import { createWorld } from './support/world.ts';

const supplierFields = new Set([
  'supplierOrder',
  'supplierOrders',
  'deliveryPlan',
  'supplierStatistics',
  'pullSupplierOrders',
  'leaseSupplierOrder',
  'releaseSupplierOrder',
  'deliverSupplierOrder',
  'supplierOrderClaimed',
]);
const operatorFields = new Set([
  'audit',
  'deadWebhooks',
  'replayDeadWebhook',
  'unaccountedOrders',
  'upstreamWebhook',
  'connectUpstreamWebhook',
  'testUpstreamWebhook',
  'closeCreateAttempt',
]);

/** A field's scope as gateway.md and the contract's comments have it; null: any key. */
function scopeOf(name: string): Scope | null {
  if (name === 'viewer') return null;
  if (operatorFields.has(name)) return 'OPERATOR';
  return supplierFields.has(name) ? 'SUPPLIER' : 'BUYER';
}

/** A document that asks for the one field, with the least that its arguments must have. */
function documentOf(operation: string, field: GraphQLField<unknown, unknown>): string {
  const args = field.args
    .filter((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)
    .map((arg) => `${arg.name}: ${sample(arg.type)}`);
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  return `${operation} { ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${selection} }`;
}

function sample(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sample(type.ofType);
  if (isListType(type)) return `[${sample(type.ofType)}]`;
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(
      (field) => isNonNullType(field.type) && field.defaultValue === undefined,
    );
    return `{ ${required.map((field) => `${field.name}: ${sample(field.type)}`).join(', ')} }`;
  }
  const samples: Readonly<Record<string, string>> = {
    Int: '7',
    ID: '"7"',
    String: '"x"',
    DateTime: '"2026-09-02T06:40:00Z"',
    Rupiah: '7',
    ReviewFinding: 'ORDERED',
  };
  const value = samples[type.name];
  if (value === undefined) throw new Error(`no sample of ${type.name}`);
  return value;
}

const roots = [
  { operation: 'query', type: schema.getQueryType() },
  { operation: 'mutation', type: schema.getMutationType() },
  { operation: 'subscription', type: schema.getSubscriptionType() },
];
const fields = roots.flatMap(({ operation, type }) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({
    name: field.name,
    operation,
    document: documentOf(operation, field),
    needed: scopeOf(field.name),
  })),
);
const guarded = fields.filter(({ needed }) => needed !== null);
/** What the gateway keeps about itself is of no side. */
const ofOneSide = guarded.filter(({ name }) => name !== 'audit');

async function errorsOf(
  { operation, document }: (typeof fields)[number],
  world: ReturnType<typeof createWorld>,
  scopes: readonly Scope[],
): Promise<readonly string[]> {
  if (operation !== 'subscription') return (await world.ask(document, {}, { scopes })).errors;
  const { stream, errors } = await world.follow(document, {}, { scopes });
  await stream?.return();
  return errors;
}

describe('every root field', () => {
  it('is looked at here', () => {
    expect(fields.length).toBe(41);
  });

  it.each(guarded)('$operation $name is FORBIDDEN without its scope, before any look-up', async (field) => {
    const others: Record<Scope, Scope[]> = {
      BUYER: ['SUPPLIER'],
      SUPPLIER: ['BUYER'],
      OPERATOR: ['BUYER', 'SUPPLIER'],
    };
    for (const scopes of [[], field.needed === null ? [] : others[field.needed]]) {
      const world = createWorld({ settings: { buyerConfigured: false, supplierConfigured: false } });
      expect(await errorsOf(field, world, scopes)).toEqual(['FORBIDDEN']);
      expect(world.calls).toEqual([]);
    }
  });

  it.each(ofOneSide)('$operation $name needs the key of its own side alone', async (field) => {
    const isSupplier = field.needed === 'SUPPLIER';
    const scopes: Scope[] = field.needed === null ? [] : [field.needed];
    const without = createWorld({
      settings: { buyerConfigured: isSupplier, supplierConfigured: !isSupplier },
    });
    expect(await errorsOf(field, without, scopes)).toEqual(['UPSTREAM_NOT_CONFIGURED']);
    expect(without.calls).toEqual([]);
  });

  it.each(guarded)('$operation $name is open to an operator', async (field) => {
    const errors = await errorsOf(field, createWorld(), ['OPERATOR']);
    expect(errors).not.toContain('FORBIDDEN');
    expect(errors).not.toContain('UPSTREAM_NOT_CONFIGURED');
  });
});

describe('viewer', () => {
  it('is open to any key, and needs no upstream', async () => {
    const world = createWorld({ settings: { buyerConfigured: false, supplierConfigured: false } });
    const { data, errors } = await world.ask(
      '{ viewer { caller scopes budget { limit } } }',
      {},
      { scopes: [] },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({ viewer: { caller: 'alice', scopes: [], budget: null } });
  });
});
