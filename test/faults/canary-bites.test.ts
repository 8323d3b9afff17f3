import type { AddressInfo } from 'node:net';
import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Deps } from '../../src/flows/deps.ts';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';
import { rawSocket } from '../api/support/sockets.ts';
import { leaksIn } from './support/canaries.ts';

const CANARY = 'CANARY-put-there-on-purpose/"+';

/** A gateway that tells a secret wherever one could be told. */
function telling(deps: Deps): Deps {
  deps.metrics.workerFailed(CANARY);
  return {
    ...deps,
    store: {
      ...deps.store,
      orders: {
        ...deps.store.orders,
        find() {
          deps.log.debug('an order is looked for', { note: CANARY });
          return Promise.reject(new GraphQLError(`no ${CANARY}`, { extensions: { code: 'NOT_FOUND' } }));
        },
      },
    },
  };
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({}, { wrap: telling });
});
afterAll(() => gateway?.close());

describe('a secret that is put there on purpose is found', () => {
  test('in an error, and in a line of the log at debug level', async () => {
    const { text } = await gateway.ask('{ order(id: "1") { id } }');
    const places = { answer: text, log: gateway.log.join('\n') };
    expect(leaksIn(places, [CANARY])).toEqual([`${CANARY} in answer`, `${CANARY} in log`]);
  });

  test('in a metric', async () => {
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(leaksIn({ metrics }, [CANARY])).toEqual([`${CANARY} in metrics`]);
  });

  test('in the reason for closing a socket', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    server.on('connection', (socket) => socket.close(4403, CANARY));
    const { port } = server.address() as AddressInfo;
    const { reason } = await rawSocket(`ws://127.0.0.1:${port}`).closed;
    server.close();
    expect(leaksIn({ reason }, [CANARY])).toEqual([`${CANARY} in reason`]);
  });

  test.each([
    ['as it is', CANARY],
    ['in a string of JSON', JSON.stringify(CANARY)],
    ['in an address', encodeURIComponent(CANARY)],
    ['in base64', Buffer.from(CANARY).toString('base64')],
    ['in hexadecimal', Buffer.from(CANARY).toString('hex')],
  ])('%s', (_, text) => {
    expect(leaksIn({ text }, [CANARY, 'another'])).toEqual([`${CANARY} in text`]);
  });
});
