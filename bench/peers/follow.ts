// The limit of webhook to `next` message: verify, insert durably by group commit, ws.send to who follows the order.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import { type WebSocket, WebSocketServer } from 'ws';

const secret = process.env['SECRET'] ?? '';
const database = new Database(process.env['DATABASE'] ?? '');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('create table if not exists inbox (dedupe_key text primary key, body blob not null)');
const insert = database.prepare('insert into inbox (dedupe_key, body) values (?, ?) on conflict do nothing');
const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');
const followers = new Map<string, { socket: WebSocket; id: string }>();
let waiting: (() => void)[] = [];

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    if (request.method !== 'POST') return void response.writeHead(404).end();
    const told = Buffer.from(String(request.headers['x-webhook-signature']).slice('sha256='.length), 'hex');
    const expected = createHmac('sha256', secret).update(body).digest();
    if (told.length !== 32 || !timingSafeEqual(told, expected)) return void response.writeHead(401).end();
    const { event, data } = JSON.parse(String(body));
    waiting.push(() => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).end('{}');
      const follower = followers.get(String(data.order_id));
      const payload = {
        data: {
          smsReceived: { revision: data.sms_revision, message: data.otp_message, otpCode: data.otp_code },
        },
      };
      follower?.socket.send(JSON.stringify({ id: follower.id, type: 'next', payload }));
    });
    const key = `${event}:${data.order_id}:${data.sms_revision}`;
    if (waiting.length === 1) setImmediate(flush);
    batch.push([key, body]);
  });
});
let batch: [string, Buffer][] = [];
function flush(): void {
  const rows = batch;
  const tells = waiting;
  batch = [];
  waiting = [];
  begin.run();
  for (const row of rows) insert.run(...row);
  commit.run();
  for (const tell of tells) tell();
}

new WebSocketServer({ server, path: '/graphql', perMessageDeflate: false }).on('connection', (socket) => {
  socket.on('message', (text) => {
    const { type, id, payload } = JSON.parse(String(text));
    if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
    if (type === 'subscribe') followers.set(payload.variables.id, { socket, id });
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
