import { connect as connectSocket } from 'node:net';
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { describe, expect, test } from 'vitest';
import { startGateway, until } from './support/gateway.ts';
import { collect, connect, openEvents } from './support/sockets.ts';

const WATCH = 'subscription { smsReceived { revision } }';

describe('GraphiQL', () => {
  test('opens for a browser, with working examples, and with the key on this machine alone', {
    timeout: 30_000,
  }, async () => {
    const gateway = await startGateway();
    const open = async (headers: Record<string, string> = {}): Promise<{ text: string; policy: string }> => {
      const response = await fetch(gateway.graphql, { headers: { accept: 'text/html,*/*', ...headers } });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('text/html');
      return { text: await response.text(), policy: response.headers.get('content-security-policy') ?? '' };
    };
    const { text, policy } = await open();
    expect(text).toContain(gateway.key);
    expect(text).toContain('createOrder');
    expect(text).toContain('smsReceived');
    expect(text).toContain('"shouldPersistHeaders":false');
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("script-src 'self' 'unsafe");

    // The example orders something that is really there.
    const product = Number(/catalogProductId\\":\s*(\d+)/.exec(text)?.[1]);
    const { body } = await gateway.ask(`{ catalogProduct(catalogProductId: ${product}) { orderable } }`);
    expect(body.data.catalogProduct).toEqual({ orderable: true });

    for (const path of text.match(/\/graphql\/graphiql\.(?:js|css)\?v=\w+/g) ?? []) {
      const asset = await fetch(gateway.url + path);
      expect(asset.status).toBe(200);
      const text = await asset.text();
      expect(text.length).toBeGreaterThan(100_000);
      const remote = await fetch(gateway.url + path, { headers: { 'x-forwarded-for': '203.0.113.7' } });
      expect(remote.headers.get('content-encoding')).toBe('gzip');
      expect(await remote.text()).toBe(text);
    }
    // By another name (DNS rebinding), or through a proxy here: for somebody else.
    expect((await open({ 'x-forwarded-for': '203.0.113.7' })).text).not.toContain(gateway.key);
    const rebound = await rawGet(gateway.app.port, 'evil.example');
    expect(rebound).toContain('200 OK');
    expect(rebound).not.toContain(gateway.key);
    await gateway.close();
  });
});

describe('health and metrics', () => {
  test('healthz, readyz and metrics answer, and metrics name no caller', async () => {
    const gateway = await startGateway();
    await gateway.ask('{ viewer { caller } }');
    expect(await (await fetch(`${gateway.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${gateway.url}/readyz`)).json()).toEqual({ status: 'ready' });
    const events = await openEvents(gateway.graphql, gateway.key, WATCH);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain('switchboard_http_request_seconds_count{route="graphql",status="2xx"}');
    expect(metrics).toMatch(/switchboard_open_streams\{kind="smsReceived"\} 1/);
    expect(metrics).toContain('switchboard_inbox_records{state="pending"} 0');
    expect(metrics).toContain('process_cpu_seconds_total');
    expect(metrics).not.toContain('sandbox-');
    expect(metrics).not.toContain(gateway.key);
    events.abort();
    await gateway.close();
  });

  test('open to other machines, metrics take the key of an OPERATOR', async () => {
    const gateway = await startGateway({ HOST: '0.0.0.0' });
    const ask = async (key?: string): Promise<number> =>
      (
        await fetch(
          `${gateway.url}/metrics`,
          key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } },
        )
      ).status;
    expect(await ask()).toBe(401);
    expect(await ask((await gateway.makeKey('shop')).key)).toBe(403);
    expect(await ask((await gateway.makeKey('ops', ['OPERATOR'])).key)).toBe(200);
    await gateway.close();
  });
});

describe('the end', () => {
  test('streams complete, sockets close with 1001, what is under way is answered, and it is soon over', async () => {
    const schema = new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        fields: {
          slow: {
            type: GraphQLString,
            resolve: () => new Promise((resolve) => setTimeout(resolve, 600, 'done')),
          },
        },
      }),
      subscription: new GraphQLObjectType({
        name: 'Subscription',
        fields: { waits: { type: GraphQLString, subscribe: waits } },
      }),
    });
    const gateway = await startGateway({}, { schema });
    const events = await openEvents(gateway.graphql, gateway.key, 'subscription { waits }');
    const closed = new Promise<unknown>((resolve) => {
      const client = connect(gateway.websocket, gateway.key, (code) => resolve(code));
      collect(client, 'subscription { waits }');
    });
    const slow = gateway.ask('{ slow }');
    await until('both streams are open', () => open === 2);

    const startedAt = Date.now();
    const ending = gateway.close();
    expect(await events.ended).toBe('complete');
    expect(events.items).toEqual([]);
    expect(await closed).toBe(1001);
    const answer = await slow;
    expect(answer.body.data).toEqual({ slow: 'done' });
    await ending;
    expect(open).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
  });
});

let open = 0;

function waits(): AsyncIterableIterator<unknown> {
  open += 1;
  return {
    next: () => new Promise(() => {}),
    return: () => {
      open -= 1;
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A request under another name: fetch does not let one say it. */
function rawGet(port: number, host: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connectSocket(port, '127.0.0.1');
    socket.write(`GET /graphql HTTP/1.1\r\nhost: ${host}\r\naccept: text/html\r\nconnection: close\r\n\r\n`);
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.on('close', () => resolve(text));
  });
}
