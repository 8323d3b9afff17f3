// What a careful hand-written service would do for createOrder: record, commit, POST, record the answer, commit.
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import { Pool } from 'undici';

const database = new Database(process.env['DATABASE'] ?? '');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('create table if not exists jobs (job text primary key, body text not null, answer text)');
const insert = database.prepare('insert into jobs (job, body) values (?, ?)');
const settle = database.prepare('update jobs set answer = ? where job = ?');
const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');
const { origin, pathname } = new URL(process.env['UPSTREAM'] ?? '');
const pool = new Pool(origin, { connections: 64 });

/** Commits of one turn go together, as Switchboard's do. */
let waiting: { work: () => void; done: () => void }[] = [];
function write(work: () => void): Promise<void> {
  return new Promise((resolve) => {
    waiting.push({ work, done: resolve });
    if (waiting.length > 1) return;
    setImmediate(() => {
      const batch = waiting;
      waiting = [];
      begin.run();
      for (const { work: run } of batch) run();
      commit.run();
      for (const { done } of batch) done();
    });
  });
}

async function create(text: string): Promise<string> {
  const { input } = JSON.parse(text).variables;
  const body = JSON.stringify({ catalog_product_id: input.catalogProductId, quantity: 1 });
  await write(() => insert.run(input.businessJobId, body));
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer bench-token',
    'idempotency-key': input.businessJobId,
  };
  const reply = await pool.request({ method: 'POST', path: `${pathname}/orders/create`, headers, body });
  const answer = await reply.body.text();
  const [order] = JSON.parse(answer).data.orders;
  await write(() => settle.run(answer, input.businessJobId));
  return JSON.stringify({
    data: { createOrder: { __typename: 'CreateOrderResolved', orders: [{ id: String(order.id) }] } },
  });
}

createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', async () => {
    const text = request.method === 'POST' ? await create(String(Buffer.concat(parts))) : '{}';
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
