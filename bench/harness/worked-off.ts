import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from './process.ts';

/** A figure of the gateway's own metrics, as this machine may read them; 0 where it is not told yet. */
export async function metric(running: Running, line: RegExp): Promise<number> {
  const page = await fetch(`http://127.0.0.1:${running.port}/metrics`).then((answer) => answer.text());
  return Number(line.exec(page)?.[1] ?? 0);
}

/** Waits until a gateway has worked its inbox off: what it left over must not run in the next contender's round. */
export async function untilWorkedOff(running: Running): Promise<void> {
  for (let look = 0; look < 3_000; look++) {
    if ((await metric(running, /inbox_records\{state="pending"\} (\d+)/)) === 0) return;
    await sleep(20);
  }
  throw new Error('the inbox was not worked off within a minute');
}
