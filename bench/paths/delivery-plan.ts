import { gateway } from '../harness/gateway.ts';
import { ask, httpLoad, postBytes } from '../harness/http-load.ts';
import type { MeasuredPath } from '../harness/measured.ts';
import { LOAD_CORE, startServer } from '../harness/process.ts';
import { median, type Plan } from '../harness/rounds.ts';

const LINES = 100_000;
const PLAN = `query Plan($id: ID!, $lines: [String!]!) {
  deliveryPlan(orderId: $id, lines: $lines) { received remainingAfter duplicate overflow fresh }
}`;

/**
 * One plan of 100,000 lines at a time, and meanwhile somebody else who asks for nothing much: the longest that he waits
 * is the longest that the event loop was held.
 */
export async function deliveryPlan(plan: Plan): Promise<MeasuredPath> {
  const sandbox = await startServer({ file: 'stub/sandbox.ts', core: LOAD_CORE });
  try {
    const ours = gateway(sandbox.port);
    const headers = { 'content-type': 'application/json', authorization: ours.authorization };
    const running = await ours.start({
      SMSCODE_API_TOKEN: 'sandbox-token',
      SUPPLIER_API_KEY: 'sandbox-key',
      SUPPLIER_BASE_URL: `http://127.0.0.1:${sandbox.port}/api/admin/v2`,
    });
    try {
      await ask(sandbox.port, '/_sandbox/supplier-orders', JSON.stringify({ quantity: LINES }), headers);
      const pulled = JSON.stringify({ query: 'mutation { pullSupplierOrders(limit: 1) { id } }' });
      const { data } = JSON.parse(await ask(running.port, '/graphql', pulled, headers));
      const id = data.pullSupplierOrders[0].id;
      const lines = Array.from({ length: LINES }, (_, at) => `user${at}@example.com:Password${at * 7}`);
      const body = JSON.stringify({ query: PLAN, variables: { id, lines } });
      const planOnce = async (): Promise<number> => {
        const startedAt = performance.now();
        const answer = await ask(running.port, '/graphql', body, headers);
        if (!answer.includes(`"received":${LINES},"remainingAfter":0`)) throw new Error(answer.slice(0, 300));
        return performance.now() - startedAt;
      };
      for (let time = 0; time < 5; time++) await planOnce();
      const rounds: { took: number; cpu: number; held: number }[] = [];
      for (let round = 0; round < plan.rounds; round++) {
        const request = postBytes('/graphql', JSON.stringify({ query: '{ viewer { caller } }' }), headers);
        const other = httpLoad({
          port: running.port,
          connections: 1,
          milliseconds: 1_000,
          request: () => request,
        });
        const before = running.cpu();
        const took = await planOnce();
        const { latencies } = await other;
        rounds.push({ took, cpu: (running.cpu() - before) * 1_000, held: latencies.at(-1) ?? Number.NaN });
      }
      const idle = await planOnce();
      return {
        path: `deliveryPlan of ${LINES} lines`,
        what: 'Through the server: from the request’s first byte to the answer’s last, beside another client’s queries.',
        measures: [
          { name: 'plan, alone', value: idle, unit: 'ms', atMost: 150 },
          {
            name: 'plan, beside queries',
            value: median(rounds.map(({ took }) => took)),
            unit: 'ms',
            atMost: null,
          },
          {
            name: 'longest wait of the other',
            value: median(rounds.map(({ held }) => held)),
            unit: 'ms',
            atMost: 50,
          },
        ],
      };
    } finally {
      await running.stop();
    }
  } finally {
    await sandbox.stop();
  }
}
