import { describe, expect, it } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import type { AttemptEvent } from '../../src/domain/orders/attempt.ts';
import { anAttempt, anOrder, attemptId, bob, job, key, moment, orderId } from '../support/values.ts';
import { dig } from './support/dig.ts';
import { type Asker, createWorld, type Variables } from './support/world.ts';

const event = (version: number, state: AttemptEvent['state']): AttemptEvent => ({
  version,
  state,
  reason: state === 'NEEDS_RECONCILIATION' ? 'TRANSPORT' : null,
  httpStatus: null,
  errorCode: null,
  note: null,
  sends: 1,
  nextAttemptAt: null,
  at: moment(version),
});

/** Alice's job-1 and job-2; Bob has a job-1 of his own. */
function books() {
  const world = createWorld();
  world.rows.attempts = [
    anAttempt({ version: 2, state: 'NEEDS_RECONCILIATION', reason: 'TRANSPORT' }),
    anAttempt({
      id: attemptId('attempt-2'),
      businessJobId: job('job-2'),
      idempotencyKey: key('key-2'),
      state: 'OPERATOR_REVIEW',
      startedAt: moment(1),
      request: { kind: 'REACTIVATE', orderId: orderId(7), maxCost: rupiah(5) },
      catalogProductId: null,
    }),
    anAttempt({ id: attemptId('attempt-3'), caller: bob, state: 'RESOLVED', startedAt: moment(2) }),
  ];
  world.rows.events = [event(1, 'SENDING'), event(2, 'NEEDS_RECONCILIATION'), event(3, 'RESOLVED')];
  world.rows.orders = [anOrder()];
  return world;
}

describe('createAttempt', () => {
  const document = `query ($job: String!, $caller: String) {
    createAttempt(businessJobId: $job, caller: $caller) {
      caller kind state idempotencyKey catalogProductId quantity sends startedAt replayDeadlineAt
      events { version state reason } orders { id } sourceOrder { id }
    }
  }`;
  const ask = (variables: Variables, asker?: Asker) => books().ask(document, variables, asker);

  it('is told in full, with its events up to the state shown', async () => {
    const { data, errors } = await ask({ job: 'job-1' });
    expect(errors).toEqual([]);
    expect(data).toEqual({
      createAttempt: {
        caller: 'alice',
        kind: 'CREATE',
        state: 'NEEDS_RECONCILIATION',
        idempotencyKey: 'key-1',
        catalogProductId: 88,
        quantity: 1,
        sends: 1,
        startedAt: '2026-09-02T06:40:00.000Z',
        replayDeadlineAt: '2026-09-02T07:40:00.000Z',
        events: [
          { version: 1, state: 'SENDING', reason: null },
          { version: 2, state: 'NEEDS_RECONCILIATION', reason: 'TRANSPORT' },
        ],
        orders: [{ id: '7' }],
        sourceOrder: null,
      },
    });
  });

  it('names the order that it reactivates', async () => {
    expect((await ask({ job: 'job-2' })).data).toMatchObject({
      createAttempt: { kind: 'REACTIVATE', catalogProductId: null, sourceOrder: { id: '7' } },
    });
  });

  it.each(['job-9', '', ' ', 'x'.repeat(201)])('is null for a job that is not there: %j', async (unknown) => {
    expect(await ask({ job: unknown })).toMatchObject({ data: { createAttempt: null }, errors: [] });
  });

  it("is the caller's own, an operator's too, unless the operator names another", async () => {
    expect((await ask({ job: 'job-1' }, { caller: bob })).data).toMatchObject({
      createAttempt: { caller: 'bob', state: 'RESOLVED' },
    });
    const operator: Asker = { scopes: ['OPERATOR'] };
    expect((await ask({ job: 'job-1' }, operator)).data).toMatchObject({
      createAttempt: { caller: 'alice' },
    });
    expect((await ask({ job: 'job-1', caller: 'bob' }, operator)).data).toMatchObject({
      createAttempt: { caller: 'bob' },
    });
    expect((await ask({ job: 'job-1', caller: '?' }, operator)).errors).toEqual(['BAD_USER_INPUT caller']);
  });

  it("is FORBIDDEN of another caller's, before any look-up", async () => {
    const world = books();
    expect((await world.ask(document, { job: 'job-1', caller: 'bob' })).errors).toEqual(['FORBIDDEN']);
    expect(world.calls).toEqual([]);
    expect((await ask({ job: 'job-1', caller: 'alice' })).errors).toEqual([]);
  });
});

describe('createAttempts', () => {
  const document = `query ($filter: CreateAttemptFilter, $first: Int, $after: String) {
    createAttempts(filter: $filter, first: $first, after: $after) {
      nodes { caller businessJobId } totalCount pageInfo { endCursor }
    }
  }`;

  it.each<[string, Variables, Asker, string[]]>([
    ['own', {}, {}, ['alice job-2', 'alice job-1']],
    ["everyone's to an operator", {}, { scopes: ['OPERATOR'] }, ['bob job-1', 'alice job-2', 'alice job-1']],
    ['in a state', { filter: { states: ['OPERATOR_REVIEW'] } }, {}, ['alice job-2']],
    ['none for an empty list', { filter: { states: [] } }, {}, []],
    ['all for null', { filter: { states: null } }, {}, ['alice job-2', 'alice job-1']],
  ])('are %s, newest first', async (_title, variables, asker, expected) => {
    const { data, errors } = await books().ask(document, variables, asker);
    expect(errors).toEqual([]);
    const nodes = dig(data, 'createAttempts', 'nodes');
    expect(
      Array.isArray(nodes) && nodes.map((node) => `${dig(node, 'caller')} ${dig(node, 'businessJobId')}`),
    ).toEqual(expected);
  });

  it('are read on by a cursor', async () => {
    const world = books();
    const first = await world.ask(document, { first: 1 });
    const cursor = dig(first.data, 'createAttempts', 'pageInfo', 'endCursor');
    const rest = await world.ask(document, { after: cursor });
    expect(rest.data).toMatchObject({
      createAttempts: { nodes: [{ businessJobId: 'job-1' }], totalCount: 2 },
    });
    expect((await world.ask(document, { after: cursor, filter: { states: ['SENDING'] } })).errors).toEqual([
      'BAD_USER_INPUT after',
    ]);
  });
});
