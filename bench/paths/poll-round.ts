import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gateway, upstream } from '../harness/gateway.ts';
import { httpLoad } from '../harness/http-load.ts';
import type { Running } from '../harness/process.ts';
import { type Plan, race } from '../harness/rounds.ts';
import { FIRST_ORDER, seedOrders } from '../harness/seed.ts';
import { signedEvent } from '../harness/signed-event.ts';
import { OURS, type PathResult } from '../harness/table.ts';
import { metric, untilWorkedOff } from '../harness/worked-off.ts';

const OPEN_ORDERS = 10_000;
/** Few, so that the time of a webhook is its own and not that of a queue of webhooks. */
const CONNECTIONS = 4;
const NOT_POLLING = 'the same, polling off';
const LISTS = /upstream_call_seconds_count\{[^}]*operation="active-orders"[^}]*\} (\d+)/;
const LOOKED_AT_MS = 6_000;
const WANTED_CPU_MS = 150;

/** A poll of 10,000 open orders each second, of which none has news; and webhooks while it goes on. */
export async function pollRound(plan: Plan): Promise<PathResult> {
  const stub = await upstream({ OPEN_ORDERS: String(OPEN_ORDERS) });
  try {
    const polling = gateway(stub.port);
    const seed = await polling.start();
    await seedOrders(seed, polling.authorization, OPEN_ORDERS);
    await untilWorkedOff(seed);
    await seed.stop();
    // Beside the first, where the key lies that its texts are sealed with.
    const copy = join(dirname(polling.file), 'not-polling.db');
    copyFileSync(polling.file, copy);
    const still = gateway(stub.port, copy);
    let cpuMs = Number.NaN;
    let lists = Number.NaN;
    let sequence = OPEN_ORDERS;
    const figures = await race(
      [
        { name: NOT_POLLING, start: () => still.start(), settled: untilWorkedOff },
        {
          name: OURS,
          async start() {
            const running = await polling.start({ POLL_INTERVAL_SECONDS: '1' });
            ({ cpuMs, lists } = await idleRounds(running));
            return running;
          },
          settled: untilWorkedOff,
        },
      ],
      plan,
      ({ port }, _name, milliseconds) =>
        httpLoad({
          port,
          connections: CONNECTIONS,
          milliseconds,
          request: () => {
            const at = sequence++;
            return signedEvent(FIRST_ORDER + (at % OPEN_ORDERS), Math.floor(at / OPEN_ORDERS));
          },
        }),
    );
    const [off, on] = figures;
    const p99 = (on?.p99 ?? Number.NaN) / (off?.p99 ?? Number.NaN);
    return {
      path: `poll round, ${OPEN_ORDERS} open orders`,
      what: `Webhooks over ${CONNECTIONS} connections, while every open order is polled each second or none is.`,
      figures,
      targets: [],
      notes: [
        `${word(cpuMs <= WANTED_CPU_MS)}: ${cpuMs.toFixed(0)} ms of CPU a round by one list call, over ${lists} rounds without other load; wanted ${WANTED_CPU_MS}`,
        `${word(p99 <= 2)}: the webhooks' p99 is ${p99.toFixed(2)} of what it is without polling; wanted 2`,
      ],
    };
  } finally {
    await stub.stop();
  }
}

/** CPU of a poll round, when the first ones are past that the compiler needs. */
async function idleRounds(running: Running): Promise<{ cpuMs: number; lists: number }> {
  await sleep(LOOKED_AT_MS);
  const [listsBefore, cpuBefore] = [await metric(running, LISTS), running.cpu()];
  await sleep(LOOKED_AT_MS);
  const lists = (await metric(running, LISTS)) - listsBefore;
  return { cpuMs: ((running.cpu() - cpuBefore) * 1_000) / lists, lists };
}

function word(isMet: boolean): string {
  return isMet ? 'met' : 'MISSED';
}
