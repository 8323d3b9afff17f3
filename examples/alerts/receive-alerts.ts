// Takes the gateway's alerts in, as Standard Webhooks say: by the id once, and only with a good signature.
//
//   ALERT_WEBHOOK_SECRET=whsec_… ALERTS_PORT=4030 npx tsx examples/alerts/receive-alerts.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';

const secret = process.env['ALERT_WEBHOOK_SECRET'] ?? '';
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (!isSigned(request, body)) {
    response.writeHead(401).end();
    return;
  }
  const id = header(request, 'webhook-id');
  if (!seen.has(id)) {
    seen.add(id);
    const { data } = JSON.parse(body);
    process.stdout.write(`${data.kind}: ${data.message}\n`);
  }
  // Anything but 2xx has the gateway tell it again.
  response.writeHead(204).end();
});
server.listen(Number(process.env['ALERTS_PORT'] ?? 4030), '127.0.0.1');

/** Over the bytes as they came; and of the last five minutes, so that nobody can play an old one back. */
function isSigned(request: IncomingMessage, body: string): boolean {
  const timestamp = header(request, 'webhook-timestamp');
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > 300) return false;
  const signed = `${header(request, 'webhook-id')}.${timestamp}.${body}`;
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return header(request, 'webhook-signature')
    .split(' ')
    .map((given) => Buffer.from(given))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

function header(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? '');
}
