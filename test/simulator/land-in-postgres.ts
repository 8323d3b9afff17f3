import { Client, Pool } from 'pg';
import { z } from 'zod';
import { budgetEntryKinds } from '../../src/domain/budget/budget.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { systemClock } from '../../src/system-clock.ts';
import { testCipher } from '../conformance/support/cipher.ts';
import { onServer } from '../store/postgres/support/on-server.ts';
import { empty, makeSchema, urlOf } from '../store/postgres/support/postgres-database.ts';
import type { Land } from './ground.ts';
import type { Inspector } from './inspector.ts';
import { type RawRow, textOfRow } from './raw-rows.ts';
import { allAtOnce, oneByOne } from './turns.ts';

/**
 * A schema of its own. Emptied between histories: to make its tables takes longer than many of them. What instances do at
 * the same instant goes on together in the database, or, for histories that can be told again, one after the other.
 */
export async function landInPostgres(
  server: string,
  order: 'one by one' | 'all at once' = 'one by one',
): Promise<Land> {
  const schema = await makeSchema(server);
  const url = urlOf(server, schema);
  const client = new Client({ connectionString: url });
  await client.connect();
  // Several may look at once.
  const eyes = new Pool({ connectionString: url, max: 2 });
  const turns = order === 'one by one' ? oneByOne() : allAtOnce();
  return {
    openStore: ({ now, random, wake }) =>
      openPostgresStore({
        url,
        random,
        cipher: testCipher,
        timers: systemClock,
        clock: { now },
        poolSize: 3,
        wake: {
          ...wake,
          listen: () => () => undefined,
          // What it would see of other processes is told by the simulator.
          channel: 'nobody',
          carry: (keys) => ({ texts: [], announce: () => wake.announce(keys) }),
        },
      }),
    openInspector: () => openInspector(eyes),
    settle: turns.settle,
    count: turns.count,
    rows: () => allRows(client, schema),
    reset: () => reset(client),
    async leave() {
      await eyes.end();
      await client.end();
      await onServer(server, (admin) => admin.query(`drop schema ${schema} cascade`));
    },
  };
}

/** Every row, and the counters of ids: no history must know how many there were before it. */
async function reset(client: Client): Promise<void> {
  await empty(client);
  await client.query(`delete from counters where name like 'turn:%'`);
  await client.query(
    `select setval(pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name), 1, false)
     from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`,
  );
}

/** Written in real time, or spread by which of its connections the server gave a write to. */
const NO_SEEDS = ['schema_migrations', 'list_totals', 'order_counts', 'sms_times'];

async function allRows(client: Client, schema: string): Promise<readonly string[]> {
  const { rows: tables } = await client.query<{ readonly name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = $1 and table_name <> all($2) order by table_name`,
    [schema, NO_SEEDS],
  );
  const all: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<RawRow>(`select * from "${name}"`);
    all.push(...rows.map((row) => textOfRow(name, row)).sort());
  }
  return all;
}

const whole = z.int().nullable();
const seenSchema = z.object({
  budgets: z.array(
    z.object({ caller: z.string(), spending_limit: whole, spent: z.int(), reserved: z.int() }),
  ),
  entries: z.array(
    z.object({ caller: z.string(), order_id: whole, kind: z.enum(budgetEntryKinds), amount: z.int() }),
  ),
  attempts: z.array(
    z.object({
      id: z.string(),
      caller: z.string(),
      business_job_id: z.string(),
      endpoint: z.string(),
      body: z.string(),
      idempotency_key: z.string(),
      state: z.string(),
      quantity: z.int(),
      due_at: whole,
      sends_recorded: z.int(),
    }),
  ),
  orders: z.array(
    z.object({
      id: z.int(),
      owner: z.string().nullable(),
      attempt_id: z.string().nullable(),
      status: z.string(),
      sms_revision: z.int(),
    }),
  ),
  messages: z.array(
    z.object({
      order_id: z.int(),
      revision: z.int(),
      message: z.string(),
      source: z.enum(['WEBHOOK', 'POLL']),
      received_at: z.int(),
      owner: z.string().nullable(),
    }),
  ),
  inbox: z.array(z.object({ dedupe_key: z.string() })),
});

const all = (query: string): string => `(select coalesce(json_agg(found), '[]') from (${query}) as found)`;
const SENDS = `select count(*) from attempt_events where attempt_id = attempts.id and state = 'SENDING'`;
const LOOK = `select json_build_object(
  'budgets', ${all('select * from budgets')},
  'entries', ${all('select * from budget_entries order by id')},
  'attempts', ${all(`select *, (${SENDS}) as sends_recorded from attempts order by started_at, id`)},
  'orders', ${all('select * from orders order by id')},
  'messages', ${all('select * from sms_revisions order by order_id, revision')},
  'inbox', ${all('select dedupe_key from inbox')}
) as seen`;

async function lookAround(eyes: Pool) {
  const { rows } = await eyes.query<{ readonly seen: unknown }>(LOOK);
  return seenSchema.parse(rows[0]?.seen);
}

/** Tells what was there at the last look. */
async function openInspector(eyes: Pool): Promise<Inspector> {
  let seen = await lookAround(eyes);
  const attemptOf = (key: string) => seen.attempts.find(({ idempotency_key: own }) => own === key);
  return {
    async look() {
      seen = await lookAround(eyes);
    },
    budgets: () => seen.budgets,
    entries: () => seen.entries,
    attempts: () => seen.attempts,
    attemptOf,
    sendsRecorded: (key) => attemptOf(key)?.sends_recorded ?? 0,
    orders: () => seen.orders,
    messages: () => seen.messages,
    hasInInbox: (key) => seen.inbox.some(({ dedupe_key: own }) => own === key),
    close: () => undefined,
  };
}
