import { describe, expect, it } from 'vitest';
import { alice, anAttempt, catalogProductId, job } from '../support/values.ts';
import { createWorld, type Variables } from './support/world.ts';

/** A job that was ordered with quantity 3: asked for again with 1 it is a conflict, with none it is not. */
function knownJob() {
  const world = createWorld();
  world.rows.attempts = [
    anAttempt({
      caller: alice,
      businessJobId: job('job-1'),
      quantity: 3,
      request: {
        kind: 'CREATE',
        catalogProductId: catalogProductId(88),
        quantity: 3,
        maxUnitPrice: null,
        routing: null,
      },
    }),
  ];
  return world;
}

const fields = 'businessJobId: "job-1", catalogProductId: 88';
const select = '{ __typename ... on CreateOrderConflict { differing } }';
const whole = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) ${select} }`;
const single = `mutation ($q: Int! = 1) { createOrder(input: { ${fields}, quantity: $q }) ${select} }`;
const nullable = `mutation ($q: Int) { createOrder(input: { ${fields}, quantity: $q }) ${select} }`;
const asked = { businessJobId: 'job-1', catalogProductId: 88 };

type Case = [title: string, document: string, variables: Variables];

const left: Case[] = [
  ['out of a literal', `mutation { createOrder(input: { ${fields} }) ${select} }`, {}],
  ['out of a variable object', whole, { input: asked }],
  ['to a variable that was not sent', nullable, {}],
  [
    'out of a default of the operation',
    `mutation ($input: CreateOrderInput! = { ${fields} }) { createOrder(input: $input) ${select} }`,
    {},
  ],
  [
    'out, in a fragment',
    `mutation ($input: CreateOrderInput!) { ...F } fragment F on Mutation { createOrder(input: $input) ${select} }`,
    { input: asked },
  ],
  [
    'out, in an inline fragment, asked for twice',
    `mutation { createOrder(input: { ${fields} }) { __typename } ... on Mutation { createOrder(input: { ${fields} }) ${select} } }`,
    {},
  ],
];

const given: Case[] = [
  ['in a literal', `mutation { createOrder(input: { ${fields}, quantity: 1 }) ${select} }`, {}],
  ['in a variable object', whole, { input: { ...asked, quantity: 1 } }],
  ['by a variable', single, { q: 1 }],
  ['by a nullable variable', nullable, { q: 1 }],
  ["by a variable's default", single, {}],
  [
    'in a default of the operation',
    `mutation ($input: CreateOrderInput! = { ${fields}, quantity: 1 }) { createOrder(input: $input) ${select} }`,
    {},
  ],
  [
    'in a fragment',
    `mutation ($q: Int!) { ...F } fragment F on Mutation { createOrder(input: { ${fields}, quantity: $q }) ${select} }`,
    { q: 1 },
  ],
  ['with another value than the default', whole, { input: { ...asked, quantity: 2 } }],
];

describe('quantity asked for again', () => {
  it.each(left)('is no difference when left %s', async (_title, document, variables) => {
    const { data, errors } = await knownJob().ask(document, variables);
    expect(errors).toEqual([]);
    expect(data).toEqual({ createOrder: { __typename: 'CreateOrderInFlight' } });
  });

  it.each(given)('is a difference when given %s', async (_title, document, variables) => {
    const { data, errors } = await knownJob().ask(document, variables);
    expect(errors).toEqual([]);
    expect(data).toEqual({ createOrder: { __typename: 'CreateOrderConflict', differing: ['quantity'] } });
  });
});
