import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { addressSet } from '../../src/config/addresses.ts';
import { clientAddress, isLocal, type TrustedProxies } from '../../src/server/client-address.ts';

function request(remote: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remote });
  const message = new IncomingMessage(socket);
  Object.assign(message.headers, headers);
  return message;
}

const proxies: TrustedProxies = { kind: 'addresses', addresses: addressSet(['10.0.0.0/8', '2001:db8::/32']) };

describe('where a request came from', () => {
  test.each<[string, string, string, TrustedProxies | undefined, string]>([
    ['nobody is trusted', '10.0.0.1', '203.0.113.7', undefined, '10.0.0.1'],
    ['one hop', '10.0.0.1', '203.0.113.7', { kind: 'hops', hops: 1 }, '203.0.113.7'],
    [
      'one hop, a forged entry before it',
      '10.0.0.1',
      '127.0.0.1, 203.0.113.7',
      { kind: 'hops', hops: 1 },
      '203.0.113.7',
    ],
    ['two hops', '10.0.0.1', '198.51.100.1, 203.0.113.7', { kind: 'hops', hops: 2 }, '198.51.100.1'],
    ['more hops than there are entries', '10.0.0.1', '203.0.113.7', { kind: 'hops', hops: 5 }, '203.0.113.7'],
    ['no hops', '10.0.0.1', '203.0.113.7', { kind: 'hops', hops: 0 }, '10.0.0.1'],
    ['a proxy at a trusted address', '10.0.0.1', '203.0.113.7', proxies, '203.0.113.7'],
    ['a stranger who forges', '203.0.113.9', '127.0.0.1', proxies, '203.0.113.9'],
    ['through two trusted ones', '10.0.0.1', '1.2.3.4, 203.0.113.7, 10.9.9.9', proxies, '203.0.113.7'],
    ['nothing forwarded', '10.0.0.1', '', proxies, '10.0.0.1'],
    ['with ports', '10.0.0.1', '203.0.113.7:4711', proxies, '203.0.113.7'],
    ['IPv6 with a port', '2001:db8::1', '[2001:4860::5]:4711', proxies, '2001:4860::5'],
  ])('%s', (_what, remote, forwarded, trusted, expected) => {
    const headers = forwarded === '' ? {} : { 'x-forwarded-for': forwarded };
    expect(clientAddress(request(remote, headers), trusted)).toBe(expected);
  });
});

describe('this machine itself', () => {
  test.each<[string, string, Record<string, string>, boolean]>([
    ['by its address', '127.0.0.1', { host: '127.0.0.1:4000' }, true],
    ['by its name', '::ffff:127.0.0.1', { host: 'localhost:4000' }, true],
    ['over IPv6', '::1', { host: '[::1]:4000' }, true],
    ['another machine', '192.168.1.9', { host: 'localhost' }, false],
    ['a name that leads here', '127.0.0.1', { host: 'evil.example:4000' }, false],
    ['a name that begins like ours', '127.0.0.1', { host: 'localhost.evil.example' }, false],
    [
      'a proxy here, for somebody',
      '127.0.0.1',
      { host: 'localhost', 'x-forwarded-for': '203.0.113.7' },
      false,
    ],
    ['no name', '127.0.0.1', {}, false],
  ])('%s', (_what, remote, headers, expected) => {
    expect(isLocal(request(remote, headers))).toBe(expected);
  });
});
