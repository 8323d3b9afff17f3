import { join } from 'node:path';
import { gateway, scratch, upstream } from '../harness/gateway.ts';
import { httpLoad } from '../harness/http-load.ts';
import { SERVER_CORE, startServer } from '../harness/process.ts';
import { type Contender, type Plan, race } from '../harness/rounds.ts';
import { FIRST_ORDER, seedOrders } from '../harness/seed.ts';
import { SECRET, signedEvent } from '../harness/signed-event.ts';
import { OURS, type PathResult } from '../harness/table.ts';
import { untilWorkedOff } from '../harness/worked-off.ts';

const ORDERS = 1_000;

/** Verify, insert durably (synchronous FULL, in WAL), answer. Each event is new: none is told apart as a duplicate. */
export function webhook(connections: number): (plan: Plan) => Promise<PathResult> {
  return async (plan) => {
    const stub = await upstream({});
    try {
      const ours = gateway(stub.port);
      const peer =
        (file: string, environment: Record<string, string>) => (): ReturnType<Contender['start']> =>
          startServer({ file, core: SERVER_CORE, environment: { SECRET, ...environment } });
      const contenders: Contender[] = [
        { name: 'bare POST', start: peer('peers/webhook.ts', { MODE: 'post' }) },
        { name: 'HMAC and parse alone', start: peer('peers/webhook.ts', { MODE: 'hmac' }) },
        { name: OURS, start: () => ours.start(), settled: untilWorkedOff },
        {
          name: 'guide’s Express handler',
          start: peer('peers/express-webhook.ts', { DATABASE: join(scratch(), 'guide.db') }),
        },
      ];
      const seed = await ours.start();
      await seedOrders(seed, ours.authorization, ORDERS);
      await untilWorkedOff(seed);
      await seed.stop();
      let sequence = ORDERS;
      const figures = await race(contenders, plan, ({ port }, _name, milliseconds) =>
        httpLoad({ port, connections, milliseconds, request: () => nextEvent(sequence++) }),
      );
      return {
        path: `webhook, ${connections} connections`,
        what: 'POST /webhooks/smscode: verify, insert durably, 2xx; events of 1,000 orders, each new. Switchboard works its inbox off meanwhile, as far as it may, and the rest after the round (`left µs`); the others do not.',
        figures,
        targets:
          connections === 1
            ? [{ to: 'guide’s Express handler', atLeast: 1 }]
            : [
                { to: 'guide’s Express handler', atLeast: 10 },
                { to: 'bare POST', atLeast: 0.5 },
                { to: 'HMAC and parse alone', atLeast: 0.85 },
              ],
      };
    } finally {
      await stub.stop();
    }
  };
}

/** Every order's revisions rise by one: each event is a message of its own. */
function nextEvent(sequence: number): Buffer {
  return signedEvent(FIRST_ORDER + (sequence % ORDERS), Math.floor(sequence / ORDERS));
}
