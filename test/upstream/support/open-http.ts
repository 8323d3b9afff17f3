import { afterEach } from 'vitest';
import { later } from '../../../src/domain/time.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { systemClock } from '../../../src/system-clock.ts';
import { createHttp, type Http, type HttpCall } from '../../../src/upstream/http.ts';
import { countingRandom, keptLog, type LogLine } from './parts.ts';
import { type RawServer, rawServer } from './raw-server.ts';

/** Must never be seen in a log. */
export const TOKEN = 'canary-token-5f1c';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** The real way out, closed after the test. */
export function openHttp(clock: Clock = systemClock): { readonly http: Http; readonly lines: LogLine[] } {
  const { log, lines } = keptLog();
  const http = createHttp({ clock, random: countingRandom(), log, connectTimeout: 300 });
  cleanUps.push(() => http.close());
  return { http, lines };
}

/** A raw server, closed after the test. */
export async function openServer(...parts: Parameters<typeof rawServer>): Promise<RawServer> {
  const server = await rawServer(...parts);
  cleanUps.push(() => server.close());
  return server;
}

export function get(url: string, more: Partial<HttpCall> = {}): HttpCall {
  const deadline = later(systemClock.now(), 3_000);
  return { operation: 'test', method: 'GET', url, token: TOKEN, deadline, ...more };
}

export const text = (body: Uint8Array) => Buffer.from(body).toString();
