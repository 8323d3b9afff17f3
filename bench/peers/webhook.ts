// Parts of the webhook's path on bare node:http, by MODE: `post` reads the body and answers; `hmac` verifies and parses too.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env['SECRET'] ?? '';
const verifies = process.env['MODE'] === 'hmac';
const answer = JSON.stringify({ received: true });

createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    let status = 200;
    if (verifies && request.method === 'POST') {
      const told = Buffer.from(String(request.headers['x-webhook-signature']).slice('sha256='.length), 'hex');
      const expected = createHmac('sha256', secret).update(body).digest();
      if (told.length !== 32 || !timingSafeEqual(told, expected)) status = 401;
      else if (typeof JSON.parse(String(body)) !== 'object') status = 400;
    }
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
