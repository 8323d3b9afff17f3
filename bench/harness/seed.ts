import { setTimeout as sleep } from 'node:timers/promises';
import { httpLoad } from './http-load.ts';
import type { Running } from './process.ts';
import { signedEvent } from './signed-event.ts';

export const FIRST_ORDER = 1_000;
/** Of the event that makes an order known. */
const FIRST_REVISION = 0;

/** Makes `count` orders known to a gateway: a webhook of each, whose order it then reads upstream. */
export async function seedOrders(running: Running, authorization: string, count: number): Promise<void> {
  for (let left = count; left > 0; ) {
    const done = count - left;
    const connections = Math.min(left, 16);
    const request = (at: number): Buffer => signedEvent(FIRST_ORDER + (at % count), FIRST_REVISION);
    const { answered } = await httpLoad({
      port: running.port,
      connections,
      milliseconds: 500,
      request,
      first: done,
    });
    left -= answered;
  }
  for (let look = 0; look < 600; look++) {
    if (await areKnown(running.port, authorization, count)) return;
    await sleep(500);
  }
  throw new Error('the orders did not become known');
}

async function areKnown(port: number, authorization: string, count: number): Promise<boolean> {
  const body = JSON.stringify({ query: '{ orders(first: 1) { totalCount } }' });
  const headers = { 'content-type': 'application/json', authorization };
  const answer = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body });
  return (await answer.text()).includes(`"totalCount":${count}}`);
}
