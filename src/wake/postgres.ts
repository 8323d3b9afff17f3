import { createHash } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import { SECOND } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { CarriedWake, Wake } from '../ports/wake.ts';
import { fromText, lifeSign, toTexts } from './announcement.ts';

/** How often the connection is tried for hearing, by a note to itself. */
const BEAT = 5 * SECOND;
/** A note that has not come back after this will not. */
const PATIENCE = 5 * SECOND;
/** How soon a lost connection is made anew, doubling from the first to the longest. */
const FIRST_RETRY = SECOND / 10;
const LONGEST_RETRY = SECOND;
/** How late news may be found where nothing is heard at all. */
const LOOK_EVERY = SECOND;

export interface PostgresWake extends CarriedWake {
  /** Notes outside of a commit. Lost while the database is away; never rejects. */
  tell(texts: readonly string[]): void;
  /** Calls back when another instance says that it hears nothing by Redis. */
  onDeaf(listener: () => void): void;
  close(): Promise<void>;
}

export interface PostgresWakeParts {
  readonly url: string;
  /** Of this process: what is heard is announced here. */
  readonly local: Wake;
  readonly clock: Pick<Clock, 'after'>;
  readonly random: Pick<Random, 'token'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Hears what other instances have committed, on one connection of its own. The commits themselves carry the notes. Whoever
 * could not hear for a while looks everywhere once.
 *
 * @throws Error of the driver's when the database cannot be reached at first.
 */
export async function createPostgresWake(parts: PostgresWakeParts): Promise<PostgresWake> {
  const { url, local, clock, log } = parts;
  const origin = parts.random.token();
  let client: Client | null = null;
  let channel = '';
  let isClosed = false;
  let retryAfter = FIRST_RETRY;
  let stopTimer = (): void => undefined;
  let whenDeaf = (): void => undefined;
  let hasHeard = false;
  /** Connected, and nothing comes: a pooler stands in between that lends another connection to each transaction. */
  let isDeaf = false;

  async function connect(): Promise<void> {
    const fresh = new Client({
      connectionString: url,
      application_name: 'switchboard wake',
      keepAlive: true,
    });
    fresh.on('error', () => lost(fresh)).on('end', () => lost(fresh));
    fresh.on('notification', ({ payload }) => hear(payload ?? ''));
    await fresh.connect();
    const { rows } = await fresh.query<[unknown]>({ text: 'select current_schema()', rowMode: 'array' });
    channel = channelOf(String(rows[0]?.[0]));
    await fresh.query(`listen ${escapeIdentifier(channel)}`);
    client = fresh;
  }

  function hear(text: string): void {
    const told = fromText(text);
    if (told.origin === origin) {
      hasHeard = true;
      isDeaf = false;
      return;
    }
    if (told.isDeaf) whenDeaf();
    if (told.keys.length > 0) local.announce(told.keys);
  }

  function beat(): void {
    hasHeard = false;
    tell([lifeSign(origin)]);
    stopTimer = clock.after(PATIENCE, () => {
      if (hasHeard) {
        stopTimer = clock.after(BEAT, beat);
        return;
      }
      if (isDeaf) log.warn('the database does not wake this instance: it looks for news every second');
      isDeaf = true;
      // A connection may be dead without a sign.
      if (client !== null) lost(client);
    });
  }

  function lost(gone: Client): void {
    if (isClosed || gone !== client) return;
    client = null;
    stopTimer();
    gone.end().catch(() => undefined);
    log.warn('the connection that wakes this instance is lost');
    stopTimer = clock.after(retryAfter, retry);
  }

  function retry(): void {
    connect().then(onBack, () => {
      retryAfter = Math.min(retryAfter * 2, LONGEST_RETRY);
      if (!isClosed) stopTimer = clock.after(retryAfter, retry);
    });
  }

  function onBack(): void {
    if (isClosed) {
      client?.end().catch(() => undefined);
      return;
    }
    retryAfter = FIRST_RETRY;
    log.info('the connection that wakes this instance is back');
    // What was told meanwhile nobody here has heard.
    local.announceAll();
    beat();
  }

  function tell(texts: readonly string[]): void {
    for (const text of texts) {
      client?.query('select pg_notify($1, $2)', [channel, text]).catch(() => undefined);
    }
  }

  function look(): void {
    stopLooking = clock.after(LOOK_EVERY, look);
    if (isDeaf && client !== null) local.announceAll();
  }

  await connect();
  stopTimer = clock.after(BEAT, beat);
  let stopLooking = clock.after(LOOK_EVERY, look);

  return {
    get channel() {
      return channel;
    },
    carry(keys) {
      const told = [...keys];
      return { texts: toTexts(origin, told), announce: () => local.announce(told) };
    },
    tell,
    onDeaf(listener) {
      whenDeaf = listener;
    },
    announce(keys) {
      const told = [...keys];
      local.announce(told);
      tell(toTexts(origin, told));
    },
    announceAll: () => local.announceAll(),
    listen: (keys, listener) => local.listen(keys, listener),
    async close() {
      isClosed = true;
      stopTimer();
      stopLooking();
      await client?.end();
    },
  };
}

/** Of the schema: two gateways in one database do not wake each other. */
function channelOf(schema: string): string {
  return `switchboard_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
}
