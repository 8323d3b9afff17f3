import { Redis } from 'ioredis';
import { SECOND } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { CarriedWake, Wake } from '../ports/wake.ts';
import { fromText, lifeSign, toTexts } from './announcement.ts';
import type { PostgresWake } from './postgres.ts';

/** How often each instance gives a sign of life. */
const BEAT = SECOND;
/** One that was silent for so long has died, or its connection has. */
const PATIENCE = 3 * SECOND;
const LONGEST_RETRY = SECOND;

export interface RedisWakeParts {
  readonly url: string;
  readonly local: Wake;
  /** Carries what Redis cannot, and is closed with this. */
  readonly inner: PostgresWake;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly random: Pick<Random, 'token'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export interface RedisWake extends CarriedWake {
  close(): Promise<void>;
}

/**
 * Tells other instances through Redis while all of them hear it, which spares PostgreSQL a note for each commit. As soon as
 * one is without Redis, commits carry the notes again. When another falls silent, looks everywhere once: it may have died
 * between a commit and its telling.
 *
 * Never waits for Redis, which may be away from the beginning.
 */
export function createRedisWake({ url, local, inner, clock, random, log }: RedisWakeParts): RedisWake {
  const origin = random.token();
  const options = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2 * SECOND,
    retryStrategy: (tries: number) => Math.min(tries * 100, LONGEST_RETRY),
  };
  const publisher = new Redis(url, { ...options, enableAutoPipelining: true });
  // The ready check sends commands, which a connection that has subscribed must not.
  const subscriber = new Redis(url, { ...options, enableReadyCheck: false, autoResubscribe: false });
  /** When each instance was last heard; ours too, on the way by which all others are. */
  const heardAt = new Map<string, number>();
  let isHearing = false;
  /** Another instance is without Redis, at least until then. */
  let isNeededUntil = 0;

  for (const connection of [publisher, subscriber]) connection.on('error', () => undefined);
  subscriber.on('ready', () => {
    heardAt.set(origin, clock.now());
    subscriber.subscribe(inner.channel).then(giveSign, () => subscriber.disconnect(true));
  });
  subscriber.on('close', () => {
    if (isHearing) onDeaf();
  });
  subscriber.on('message', (_channel: string, text: string) => {
    const told = fromText(text);
    heardAt.set(told.origin, clock.now());
    if (told.origin === origin) onHearing();
    else if (told.keys.length > 0) local.announce(told.keys);
  });
  inner.onDeaf(() => {
    isNeededUntil = clock.now() + PATIENCE;
  });

  function onHearing(): void {
    if (isHearing) return;
    isHearing = true;
    log.info('Redis wakes this instance');
  }

  function onDeaf(): void {
    isHearing = false;
    log.warn('Redis does not wake this instance: the database does');
    inner.tell([lifeSign(origin, true)]);
    isLooking = true;
  }

  /** Where it does not get through, the next one may. */
  function giveSign(): void {
    publisher.publish(inner.channel, lifeSign(origin)).catch(() => undefined);
  }

  /** What Redis does not take goes by the database. */
  function publish(texts: readonly string[]): void {
    for (const text of texts) {
      publisher.publish(inner.channel, text).catch(() => inner.tell([text]));
    }
  }

  /** What was told while we had just become deaf, and the others did not know it yet. */
  let isLooking = false;
  let stop = clock.after(BEAT, beat);
  function beat(): void {
    stop = clock.after(BEAT, beat);
    const now = clock.now();
    const silent = [...heardAt].filter(([, at]) => now - at > PATIENCE).map(([from]) => from);
    for (const from of silent) heardAt.delete(from);
    if (silent.includes(origin)) subscriber.disconnect(true);
    if (isLooking || silent.some((from) => from !== origin)) local.announceAll();
    isLooking = false;
    giveSign();
    if (!isHearing) inner.tell([lifeSign(origin, true)]);
  }

  return {
    get channel() {
      return inner.channel;
    },
    carry(keys) {
      const told = [...keys];
      const byRedis = isHearing && publisher.status === 'ready';
      const byDatabase = !byRedis || clock.now() < isNeededUntil;
      return {
        texts: byDatabase ? toTexts(origin, told) : [],
        announce() {
          local.announce(told);
          if (byRedis) publish(toTexts(origin, told));
        },
      };
    },
    announce(keys) {
      const told = [...keys];
      local.announce(told);
      publish(toTexts(origin, told));
    },
    announceAll: () => local.announceAll(),
    listen: (keys, listener) => local.listen(keys, listener),
    async close() {
      stop();
      isHearing = false;
      publisher.disconnect();
      subscriber.disconnect();
      await inner.close();
    },
  };
}
