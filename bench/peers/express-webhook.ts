// The handler of the provider's guide (Express, raw body, verify, insert if absent, answer), with an insert that is durable.
import { createHmac, timingSafeEqual } from 'node:crypto';
import Database from 'better-sqlite3';
import express from 'express';

const database = new Database(process.env['DATABASE'] ?? '');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('create table if not exists inbox (dedupe_key text primary key, body blob not null)');
const insert = database.prepare('insert into inbox (dedupe_key, body) values (?, ?) on conflict do nothing');
const secret = process.env['SECRET'] ?? '';

const app = express();
app.post('/webhooks/smscode', express.raw({ type: '*/*', limit: '256kb' }), (request, response) => {
  const body: Buffer = request.body;
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const told = Buffer.from(request.get('x-webhook-signature') ?? '');
  if (told.length !== expected.length || !timingSafeEqual(told, expected)) return response.sendStatus(401);
  const { event, data } = JSON.parse(String(body));
  insert.run(`${event}:${data.order_id}:${data.sms_revision}`, body);
  return response.json({ received: true });
});
app.listen(Number(process.env['PORT']), '127.0.0.1');
