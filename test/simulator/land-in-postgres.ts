import { Client, Pool } from 'pg';
import { z } from 'zod';
import { budgetEntryKinds } from '../../src/domain/budget/budget.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { systemClock } from '../../src/system-clock.ts';
import { testCipher } from '../conformance/support/cipher.ts';
import { empty, makeSchema, onServer, urlOf } from '../store/postgres/support/postgres-database.ts';
import type { Land } from './ground.ts';
import type { Inspector } from './inspector.ts';
import { createTurns } from './turns.ts';

/** A schema of its own. Emptied between histories: to make its tables takes longer than many of them. */
export async function landInPostgres(server: string): Promise<Land> {
  const schema = await makeSchema(server);
  const url = urlOf(server, schema);
  const client = new Client({ connectionString: url });
  await client.connect();
  // Several may look at once.
  const eyes = new Pool({ connectionString: url, max: 2 });
  const turns = createTurns();
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
    reset: () => empty(client),
    async leave() {
      await eyes.end();
      await client.end();
      await onServer(server, (admin) => admin.query(`drop schema ${schema} cascade`));
    },
  };
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
