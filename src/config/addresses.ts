import { BlockList, isIP } from 'node:net';

/** A closed set of IP addresses and networks; IPv4 written inside IPv6 (`::ffff:a.b.c.d`) counts as IPv4. */
export type AddressSet = {
  readonly entries: readonly string[];
  /** Whether the address, as a socket shows it, is in the set; what is no address is not. */
  includes(address: string): boolean;
};

export type ParsedAddress = { kind: 'ok'; address: string } | { kind: 'wrong'; wrong: string };

/** Whether the text is one IP address or one network in CIDR form. */
export function isAddressOrNetwork(text: string): boolean {
  return readNetwork(text) !== undefined;
}

/** Builds the set; entries must have passed {@link isAddressOrNetwork}, any other is left out. */
export function addressSet(entries: readonly string[]): AddressSet {
  const list = new BlockList();
  for (const entry of entries) {
    const network = readNetwork(entry);
    if (network !== undefined) list.addSubnet(network.address, network.bits, network.family);
  }
  return {
    entries,
    includes(address) {
      const bare = address.replace(/%.*$/, '');
      const version = isIP(bare);
      return version !== 0 && list.check(bare, version === 6 ? 'ipv6' : 'ipv4');
    },
  };
}

const loopback = addressSet(['127.0.0.0/8', '::1']);

// Where cloud machines keep credentials, and what is no host at all: a secret sent there is a secret given away.
const neverUpstream = addressSet([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200',
  '192.0.0.192',
  '224.0.0.0/3',
  '::',
  'fe80::/10',
  'fd00:ec2::254',
  'ff00::/8',
]);
const metadataNames: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata.goog']);
const embeddedIpv4 = /^(::ffff:|64:ff9b:)/;

/**
 * An address that we send secrets to: https, or http to loopback; no credentials, query or fragment; no link-local,
 * metadata or otherwise unroutable host. The answer has no trailing slash.
 */
export function parseUpstreamAddress(text: string): ParsedAddress {
  if (/[?#]/.test(text)) return { kind: 'wrong', wrong: 'has a query or a fragment' };
  const url = readHttpUrl(text);
  if (url.kind === 'wrong') return url;
  return { kind: 'ok', address: url.url.origin + url.url.pathname.replace(/\/+$/, '') };
}

/** As {@link parseUpstreamAddress}, but a query may stand in it and the path is left as written. */
export function parseWebhookTarget(text: string): ParsedAddress {
  if (text.includes('#')) return { kind: 'wrong', wrong: 'has a fragment' };
  const url = readHttpUrl(text);
  return url.kind === 'wrong' ? url : { kind: 'ok', address: url.url.href };
}

/** Whether a host name or address, as URL writes it, is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || loopback.includes(hostname.replace(/^\[|\]$/g, ''));
}

function readHttpUrl(text: string): { kind: 'ok'; url: URL } | { kind: 'wrong'; wrong: string } {
  if (!/^https?:\/\//i.test(text) || /[\s\\]/.test(text) || !URL.canParse(text)) {
    return { kind: 'wrong', wrong: 'is no http(s) address' };
  }
  const url = new URL(text);
  // URL drops an empty user name, so the text is asked.
  if (/^[^/]*\/\/[^/]*@/.test(text)) return { kind: 'wrong', wrong: 'has credentials in it' };
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (embeddedIpv4.test(host)) return { kind: 'wrong', wrong: 'hides an IPv4 address inside an IPv6 one' };
  if (metadataNames.has(host) || neverUpstream.includes(host)) {
    return { kind: 'wrong', wrong: 'names a link-local, metadata or unroutable host' };
  }
  if (url.protocol === 'http:' && !isLoopback(host)) {
    return { kind: 'wrong', wrong: 'is plain http to another machine' };
  }
  return { kind: 'ok', url };
}

function readNetwork(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | undefined {
  const match = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text);
  const address = match?.[1] ?? '';
  const version = isIP(address);
  if (version === 0) return undefined;
  const most = version === 6 ? 128 : 32;
  const bits = Number(match?.[2] ?? most);
  return bits > most ? undefined : { address, bits, family: version === 6 ? 'ipv6' : 'ipv4' };
}
