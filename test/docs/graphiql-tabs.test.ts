import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, Kind, parse, print, validate } from 'graphql';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { graphiqlTabs } from '../../src/server/graphiql-tabs.ts';
import { project } from './support/page-runner.ts';
import { openScene, type Scene } from './support/scene.ts';

const PRODUCT = 6136;
const { defaultTabs, headers, additionalHeaders } = graphiqlTabs('sb_key', PRODUCT, 'run');
const operations = defaultTabs.flatMap(({ query, variables }) =>
  parse(query).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? [
          {
            name: definition.name?.value ?? '',
            kind: definition.operation,
            text: print(definition),
            tab: query,
            variables: JSON.parse(variables ?? '{}'),
          },
        ]
      : [],
  ),
);

describe('GraphiQL’s tabs', () => {
  const schema = buildSchema(readFileSync(join(project, 'schema.graphql'), 'utf8'));

  it.each(operations)(
    '$kind $name fits the graph, and has its variables filled in',
    ({ tab, variables, text }) => {
      expect(validate(schema, parse(tab))).toEqual([]);
      for (const [, name = ''] of text.matchAll(/\$(\w+): [\w[\]!]+!(?=[,)])/g)) {
        expect(variables).toHaveProperty(name);
      }
    },
  );

  it('teach: every tab begins with a comment', () => {
    for (const { query } of defaultTabs) expect(query).toMatch(/^# \w/);
  });

  it('can be read without scrolling sideways', () => {
    const longest = Math.max(
      ...defaultTabs.flatMap(({ query }) => query.split('\n').map(({ length }) => length)),
    );
    expect(longest).toBeLessThanOrEqual(62);
  });

  it('have a title each, and no two the same', () => {
    const titles = defaultTabs.map(({ query }) => /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1]);
    expect(new Set(titles).size).toBe(defaultTabs.length);
  });

  it('carry the key where there is one, and a place for it where there is none', () => {
    expect(JSON.parse(headers)).toEqual({ Authorization: 'Bearer sb_key' });
    expect(additionalHeaders).toEqual({ Authorization: 'Bearer sb_key' });
    const without = graphiqlTabs(null, null, 'run');
    expect(without.additionalHeaders).toBeUndefined();
    expect(JSON.stringify(without)).not.toContain('sb_');
  });
});

describe('GraphiQL’s tabs, pressed from left to right in a fresh sandbox', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene({
      sms_delay_seconds: 0.1,
      number_delay_seconds: 0,
      reactivation: 'always',
      rate_per_minute: null,
    });
    await scene.gateway.control('supplier-orders', { quantity: 3 });
  });
  afterAll(() => scene.close());

  const expected: Readonly<Record<string, unknown>> = {
    createOrder: { __typename: 'CreateOrderResolved', orders: [{ id: '4410001' }] },
    smsReceived: { suggestedCode: expect.stringMatching(/^\d{4,8}$/) },
    cancelOrder: { __typename: 'CancelSkipped' },
    finishOrder: { __typename: 'FinishReceipt' },
    resendSms: { __typename: 'ResendSkipped' },
    reactivationQuote: { __typename: 'ReactivationQuote' },
    pullSupplierOrders: [{ quantity: 3 }],
    deliveryPlan: { received: 3, blank: 1, remainingAfter: 2 },
    deliverSupplierOrder: { __typename: 'DeliveryAccepted' },
    testUpstreamWebhook: { statusCode: 200 },
  };
  let claimed = '';
  /** Operations that wait for something else to happen first, and those that the sandbox has no use for. */
  const apart = ['Claims', 'Close', 'Evidence', 'Connect'];

  it.each(operations.filter(({ name }) => !apart.includes(name)))(
    '$kind $name',
    async ({ kind, text, variables }) => {
      const filled = JSON.parse(JSON.stringify(variables).replaceAll('<an id from the tab Claim>', claimed));
      const answer = kind === 'subscription' ? await firstOf(text, filled) : await ask(text, filled);
      expect(answer.errors).toBeUndefined();
      const { data } = answer;
      const [field = ''] = Object.keys(data);
      if (field === 'pullSupplierOrders') claimed = data.pullSupplierOrders[0].id;
      expect(data).toMatchObject({ [field]: expected[field] ?? {} });
    },
  );

  async function ask(query: string, variables: unknown) {
    return (await scene.gateway.ask(query, variables)).body;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what a public client sees is untyped JSON
  async function firstOf(query: string, variables: Record<string, unknown>): Promise<any> {
    const client = createClient({
      url: scene.gateway.websocket,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${scene.gateway.key}` },
    });
    try {
      for await (const result of client.iterate({ query, variables })) return result;
      return {};
    } finally {
      await client.dispose();
    }
  }
});
