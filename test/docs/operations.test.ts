import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.object({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.object({ summary: z.string(), do: z.string() }),
        }),
      ),
    }),
  ),
});
const dashboardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});

const read = (name: string): string =>
  readFileSync(new URL(`../../docs/operations/${name}`, import.meta.url), 'utf8');
const alerts = rulesSchema.parse(parse(read('alerts.yaml'))).groups.flatMap(({ rules }) => rules);
const { panels } = dashboardSchema.parse(JSON.parse(read('dashboard.json')));
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ what: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ what: title, expr }))),
];

let gateway: TestGateway;
let scraped: string;
beforeAll(async () => {
  gateway = await startGateway();
  await gateway.ask('{ catalogProducts(first: 1) { totalCount } balance(refresh: true) { amount } }');
  scraped = await (await fetch(`${gateway.url}/metrics`)).text();
});
afterAll(() => gateway?.close());

/** What a histogram is scraped as, besides its name. */
const familyOf = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '');

describe('what alerts and dashboard ask for', () => {
  test('is asked for by many', () => {
    expect(alerts.length).toBeGreaterThan(10);
    expect(panels.length).toBeGreaterThan(10);
  });

  test.each(expressions)('is emitted by a gateway: $what', ({ expr }) => {
    const names = expr.match(/switchboard_[a-z_]+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const isHistogram = scraped.includes(`# TYPE ${familyOf(name)} histogram`);
      expect(scraped).toContain(`# TYPE ${isHistogram ? familyOf(name) : name} `);
    }
  });

  test('nothing that is emitted is left out of both', () => {
    const emitted = [...scraped.matchAll(/^# TYPE (switchboard_\w+) /gm)].map(([, name]) => name ?? '');
    const asked = new Set(
      expressions.flatMap(({ expr }) => expr.match(/switchboard_[a-z_]+/g) ?? []).map(familyOf),
    );
    // Alerts of the gateway itself are told by their own POST; the other is the sum of what inbox_records shows.
    const known = ['switchboard_alerts_total', 'switchboard_inbox_dead_letters_total'];
    expect(emitted.filter((name) => !asked.has(name) && !known.includes(name))).toEqual([]);
  });

  test('values of labels are those that are counted', () => {
    const labels = new Set(
      expressions.flatMap(({ expr }) =>
        [...expr.matchAll(/(state|result)=~?"([^"]+)"/g)].flatMap(([, , values]) => values?.split('|') ?? []),
      ),
    );
    const sources = [
      'src/ports/metrics.ts',
      'src/ports/numbers-api.ts',
      'src/domain/orders/reply.ts',
      'src/domain/orders/attempt.ts',
      'src/server/prometheus.ts',
    ]
      .map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
      .join('\n');
    expect(labels.size).toBeGreaterThan(5);
    for (const value of labels) expect(sources).toContain(`'${value}'`);
  });
});

test('a scrape shows what is counted in the store, and what calls to it took', async () => {
  await gateway.ask(
    'mutation { createOrder(input: { businessJobId: "held", catalogProductId: 6136, reviewThresholdAt: "2026-01-01T00:00:00Z" }) { __typename } }',
  );
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  const valueIn = (name: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  expect(valueIn('switchboard_open_attempts{state="OPERATOR_REVIEW"}')).toBe(1);
  expect(valueIn('switchboard_attempts_reached_total{state="OPERATOR_REVIEW"}')).toBe(1);
  expect(valueIn('switchboard_alerts_total{kind="ATTEMPT_IN_REVIEW"}')).toBe(1);
  expect(valueIn('switchboard_oldest_open_attempt_seconds')).toBe(0);
  expect(valueIn('switchboard_sqlite_wal_bytes')).toBeGreaterThan(0);
  expect(valueIn('switchboard_store_seconds_count{room="attempts"}')).toBeGreaterThan(0);
});
