import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';

/** What an upstream that keeps nothing to itself answers: each repeats the key it was called with, and the body. */
const TALES = ['error', 'html', 'malformed', 'redirect', 'throttled'] as const;

const ledgerSchema = z.object({
  charges: z.array(z.unknown()),
  requests: z.array(z.object({ method: z.string(), path: z.string() })),
});

export interface TelltaleUpstream {
  readonly origin: string;
  /** The next so many calls are answered with a tale; then the simulated upstreams answer again. */
  tell(calls: number): void;
  /** The buyer's token is made anew: the one before is refused from now on. */
  replaceToken(token: string): void;
  control(path: string, body: unknown): Promise<unknown>;
  /** What was charged so far, and how many requests for numbers came in. */
  ledger(): Promise<{ readonly charges: number; readonly creates: number }>;
  close(): Promise<void>;
}

/** Both simulated upstreams, behind a door that takes these keys alone and tells them on when told to. */
export async function openTelltale(keys: {
  readonly buyer: string;
  readonly supplier: string;
}): Promise<TelltaleUpstream> {
  const sandbox = await startSandbox({ port: 0 });
  let { buyer } = keys;
  let left = 0;
  let turn = 0;
  const server = createServer((request, response) => {
    void read(request).then(async (body) => {
      const isBuyer = (request.url ?? '').startsWith('/v1');
      const key = isBuyer ? buyer : keys.supplier;
      const given = request.headers.authorization ?? '';
      const secrets = `${given} ${key} ${body}`;
      if (left <= 0 && given !== `Bearer ${key}`) {
        const error = { code: 'UNAUTHORIZED', message: 'The token is not valid.' };
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ success: false, error }));
        return;
      }
      if (left > 0) {
        left -= 1;
        const tale = TALES[turn++ % TALES.length] ?? 'error';
        response.writeHead(
          tale === 'throttled' ? 429 : tale === 'redirect' ? 302 : tale === 'malformed' ? 200 : 500,
          {
            'content-type': tale === 'html' ? 'text/html' : 'application/json',
            'x-told': encodeURIComponent(secrets).slice(0, 4_000),
            ...(tale === 'redirect' && {
              location: `http://127.0.0.1:9/${encodeURIComponent(secrets).slice(0, 1_000)}`,
            }),
          },
        );
        response.end(
          tale === 'html'
            ? `<h1>${secrets}</h1>`
            : JSON.stringify({
                success: tale === 'malformed',
                error: { code: secrets.slice(0, 300), message: secrets },
                data: secrets,
              }),
        );
        return;
      }
      const answered = await fetch(`${sandbox.origin}${request.url ?? ''}`, {
        method: request.method ?? 'GET',
        headers: {
          ...('content-type' in request.headers && { 'content-type': 'application/json' }),
          ...(typeof request.headers['idempotency-key'] === 'string' && {
            'idempotency-key': request.headers['idempotency-key'],
          }),
          authorization: `Bearer ${isBuyer ? 'sandbox-token' : 'sandbox-key'}`,
        },
        ...(body !== '' && { body }),
      });
      response.writeHead(answered.status, { 'content-type': 'application/json' });
      response.end(await answered.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // The address of a server that listens on a port is no text.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell(calls) {
      left = calls;
    },
    replaceToken(token) {
      buyer = token;
    },
    async control(path, body) {
      const response = await fetch(`${sandbox.origin}/_sandbox/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      return text === '' ? null : JSON.parse(text);
    },
    async ledger() {
      const response = await fetch(`${sandbox.origin}/_sandbox/ledger`);
      const { charges, requests } = ledgerSchema.parse(await response.json());
      return {
        charges: charges.length,
        creates: requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/orders/create'))
          .length,
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sandbox.close();
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}
