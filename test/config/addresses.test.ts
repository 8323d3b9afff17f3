import { describe, expect, it } from 'vitest';
import {
  addressSet,
  isAddressOrNetwork,
  parseUpstreamAddress,
  parseWebhookTarget,
} from '../../src/config/addresses.ts';

describe('an upstream address', () => {
  it.each([
    ['https://api.smscode.gg/v1', 'https://api.smscode.gg/v1'],
    ['https://api.smscode.gg/v1/', 'https://api.smscode.gg/v1'],
    ['https://api.smscode.gg/v1///', 'https://api.smscode.gg/v1'],
    ['https://api.smscode.gg', 'https://api.smscode.gg'],
    ['https://api.smscode.gg:8443/', 'https://api.smscode.gg:8443'],
    ['HTTPS://API.smscode.gg/V1', 'https://api.smscode.gg/V1'],
    ['https://10.1.2.3/v1', 'https://10.1.2.3/v1'],
    ['https://[2001:db8::1]/v1', 'https://[2001:db8::1]/v1'],
    ['http://127.0.0.1:4010/v1', 'http://127.0.0.1:4010/v1'],
    ['http://127.8.9.10', 'http://127.8.9.10'],
    ['http://127.1:4010', 'http://127.0.0.1:4010'],
    ['http://0x7f000001', 'http://127.0.0.1'],
    ['http://[::1]:4010/v1', 'http://[::1]:4010/v1'],
    ['http://localhost:4010/v1', 'http://localhost:4010/v1'],
    ['https://localhost', 'https://localhost'],
  ])('takes %s', (text, address) => {
    expect(parseUpstreamAddress(text)).toEqual({ kind: 'ok', address });
  });

  it.each([
    ['http://api.smscode.gg/v1', 'is plain http to another machine'],
    ['http://10.0.0.1', 'is plain http to another machine'],
    ['http://localhost.example.com', 'is plain http to another machine'],
    ['http://128.0.0.1', 'is plain http to another machine'],
    ['http://[2001:db8::1]', 'is plain http to another machine'],
    ['https://user:pass@api.smscode.gg/v1', 'has credentials in it'],
    ['https://user@api.smscode.gg/v1', 'has credentials in it'],
    ['https://@api.smscode.gg/v1', 'has credentials in it'],
    ['https://:@api.smscode.gg/v1', 'has credentials in it'],
    ['https://api.smscode.gg/v1?x=1', 'has a query or a fragment'],
    ['https://api.smscode.gg/v1?', 'has a query or a fragment'],
    ['https://api.smscode.gg/v1#x', 'has a query or a fragment'],
    ['https://169.254.169.254/latest', 'names a link-local, metadata or unroutable host'],
    ['http://169.254.169.254', 'names a link-local, metadata or unroutable host'],
    ['https://0xa9fea9fe', 'names a link-local, metadata or unroutable host'],
    ['https://2852039166', 'names a link-local, metadata or unroutable host'],
    ['https://169.254.1.1.', 'names a link-local, metadata or unroutable host'],
    ['https://100.100.100.200', 'names a link-local, metadata or unroutable host'],
    ['https://metadata.google.internal', 'names a link-local, metadata or unroutable host'],
    ['https://METADATA.google.internal.', 'names a link-local, metadata or unroutable host'],
    ['https://[fe80::1]', 'names a link-local, metadata or unroutable host'],
    ['https://[febf::1]', 'names a link-local, metadata or unroutable host'],
    ['https://[fd00:ec2::254]', 'names a link-local, metadata or unroutable host'],
    ['https://[ff02::1]', 'names a link-local, metadata or unroutable host'],
    ['https://0.0.0.0', 'names a link-local, metadata or unroutable host'],
    ['http://0', 'names a link-local, metadata or unroutable host'],
    ['https://[::]', 'names a link-local, metadata or unroutable host'],
    ['https://224.0.0.1', 'names a link-local, metadata or unroutable host'],
    ['https://255.255.255.255', 'names a link-local, metadata or unroutable host'],
    ['https://[::ffff:169.254.169.254]', 'hides an IPv4 address inside an IPv6 one'],
    ['https://[0:0:0:0:0:ffff:a9fe:a9fe]', 'hides an IPv4 address inside an IPv6 one'],
    ['http://[::ffff:127.0.0.1]:4010', 'hides an IPv4 address inside an IPv6 one'],
    ['https://[64:ff9b::a9fe:a9fe]', 'hides an IPv4 address inside an IPv6 one'],
    ['file:///etc/passwd', 'is no http(s) address'],
    ['ftp://api.smscode.gg', 'is no http(s) address'],
    ['api.smscode.gg/v1', 'is no http(s) address'],
    ['https:api.smscode.gg', 'is no http(s) address'],
    ['https:/api.smscode.gg', 'is no http(s) address'],
    ['https://', 'is no http(s) address'],
    ['https://a b', 'is no http(s) address'],
    ['https://api.smscode.gg\\@evil.example', 'is no http(s) address'],
    ['https://api.smscode.gg/v1\n', 'is no http(s) address'],
    ['https://api.smscode.gg:99999', 'is no http(s) address'],
    ['', 'is no http(s) address'],
  ])('refuses %s', (text, wrong) => {
    expect(parseUpstreamAddress(text)).toEqual({ kind: 'wrong', wrong });
  });
});

describe('a webhook target', () => {
  it('may have a query, and keeps its path as written', () => {
    expect(parseWebhookTarget('https://hooks.example.com/a/?b=c')).toEqual({
      kind: 'ok',
      address: 'https://hooks.example.com/a/?b=c',
    });
  });

  it.each([
    ['http://hooks.example.com/a', 'is plain http to another machine'],
    ['https://169.254.169.254/a', 'names a link-local, metadata or unroutable host'],
    ['https://hooks.example.com/a#b', 'has a fragment'],
    ['https://u:p@hooks.example.com/a', 'has credentials in it'],
  ])('refuses %s', (text, wrong) => {
    expect(parseWebhookTarget(text)).toEqual({ kind: 'wrong', wrong });
  });
});

describe('a set of addresses', () => {
  const set = addressSet(['192.0.2.7', '10.0.0.0/8', '2001:db8::/32', 'fe80::1']);

  it.each(['192.0.2.7', '10.255.0.1', '::ffff:10.1.2.3', '2001:db8:1::2', '2001:DB8::1', 'fe80::1%eth0'])(
    'has %s',
    (address) => {
      expect(set.includes(address)).toBe(true);
    },
  );

  it.each(['192.0.2.8', '11.0.0.1', '::ffff:11.1.2.3', '2001:db9::1', '::1', '', 'localhost', '10.0.0.1:80'])(
    'has not %s',
    (address) => {
      expect(set.includes(address)).toBe(false);
    },
  );

  it.each([
    ['10.0.0.1', true],
    ['10.0.0.0/32', true],
    ['0.0.0.0/0', true],
    ['::1/128', true],
    ['10.0.0.0/33', false],
    ['::1/129', false],
    ['10.0.0.0/', false],
    ['10.0.0/8', false],
    ['10.0.0.0/8/8', false],
    ['fe80::1%eth0', false],
    ['example.com', false],
    ['', false],
  ])('knows whether %s is an address or network: %s', (text, is) => {
    expect(isAddressOrNetwork(text)).toBe(is);
  });
});
