import { createSecretKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import {
  type AddressSet,
  addressSet,
  isAddressOrNetwork,
  type ParsedAddress,
  parseUpstreamAddress,
  parseWebhookTarget,
} from './addresses.ts';

/** How one setting is read from its text, and in words what it takes ("Give …"). */
export type Reader<Value> = { readonly schema: z.ZodType<Value, string>; readonly takes: string };

export type Database = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };

export type TrustedProxies = { kind: 'hops'; hops: number } | { kind: 'addresses'; addresses: AddressSet };

// A day in seconds: far below the 2^31 - 1 ms from which a timer fires at once.
const longestSeconds = 86_400;

/** A whole number within bounds, both included. */
export function wholeNumber(least: number, most: number): Reader<number> {
  const takes = `a whole number from ${least} to ${most}`;
  const digits = z.string().regex(/^\d+$/, 'is not a whole number in plain digits').transform(Number);
  return { schema: digits.pipe(z.number().min(least, 'is too small').max(most, 'is too large')), takes };
}

/** Whole seconds in the environment, milliseconds inside. */
export function seconds(least: number): Reader<number> {
  const { schema, takes } = wholeNumber(least, longestSeconds);
  return { schema: schema.transform((value) => value * 1000), takes: `${takes} (seconds)` };
}

/** As {@link seconds}, at least 1; 0 is off. */
export function secondsOrOff(): Reader<number | 'off'> {
  const { schema, takes } = seconds(0);
  return { schema: schema.transform((value) => (value === 0 ? 'off' : value)), takes: `${takes}; 0 is off` };
}

/** A positive whole number; 0 is off. */
export function countOrOff(most: number): Reader<number | 'off'> {
  const { schema, takes } = wholeNumber(0, most);
  return { schema: schema.transform((value) => (value === 0 ? 'off' : value)), takes: `${takes}; 0 is off` };
}

/** Whole days in the environment, milliseconds inside. */
export function days(most: number): Reader<number> {
  const { schema, takes } = wholeNumber(0, most);
  return { schema: schema.transform((value) => value * 86_400_000), takes: `${takes} (days)` };
}

export function oneOf<const Word extends string>(...words: readonly [Word, ...Word[]]): Reader<Word> {
  return { schema: z.enum(words, 'is none of its words'), takes: `one of ${words.join(', ')}` };
}

export const onOrOff: Reader<boolean> = {
  schema: z.enum(['on', 'off'], 'is neither on nor off').transform((word) => word === 'on'),
  takes: 'on or off',
};

/** A secret that travels in a header: blanks or line breaks in it are a slip of the copying hand. */
export const headerSecret: Reader<string> = {
  schema: z.string().regex(/^[\x21-\x7e]+$/, 'holds a blank or a character that no HTTP header takes'),
  takes: 'the secret alone, in visible ASCII characters',
};

export const signingSecrets: Reader<readonly string[]> = {
  schema: listOf(z.string().regex(/^\P{Cc}+$/u, 'holds a line break or another control character')),
  takes: 'one or more secrets, comma-separated, newest first',
};

/** 32 bytes each, as AES-256 takes them; the newest encrypts, all decrypt. */
export const encryptionKeys: Reader<readonly KeyObject[]> = {
  schema: listOf(
    z.string().transform((text, context) => {
      const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : base64Bytes(text);
      if (bytes?.length === 32) return createSecretKey(bytes);
      context.addIssue('is not 32 bytes in base64 or hex');
      return z.NEVER;
    }),
  ),
  takes: '32 random bytes in base64 or hex (openssl rand -base64 32); several comma-separated, newest first',
};

/** Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export const standardWebhookSecret: Reader<KeyObject> = {
  schema: z.string().transform((text, context) => {
    const bytes = base64Bytes(text.replace(/^whsec_/, ''));
    if (bytes !== undefined && bytes.length >= 24 && bytes.length <= 64) return createSecretKey(bytes);
    context.addIssue('is no Standard Webhooks secret');
    return z.NEVER;
  }),
  takes: 'whsec_ and 24 to 64 random bytes in base64',
};

export const upstreamAddress: Reader<string> = {
  schema: address(parseUpstreamAddress),
  takes: 'an https address (http only to loopback) without credentials, query or fragment',
};

export const webhookTarget: Reader<string> = {
  schema: address(parseWebhookTarget),
  takes: 'an https address (http only to loopback) without credentials',
};

export const databaseAddress: Reader<Database> = {
  schema: z.string().transform((text, context): Database => {
    const file = /^file:(?:\/\/(?=\/))?([^?#]+)$/.exec(text)?.[1];
    // Kept in memory it would forget what may have been paid for at every restart.
    if (file !== undefined && !/^\/\/|:memory:|\/$/.test(file)) return { kind: 'sqlite', file };
    if (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) && new URL(text).pathname.length > 1) {
      return { kind: 'postgres', url: text };
    }
    context.addIssue('names neither a SQLite file nor a PostgreSQL database');
    return z.NEVER;
  }),
  takes: 'file:PATH or postgres://USER:PASSWORD@HOST/DATABASE',
};

export const redisAddress: Reader<string> = {
  schema: z
    .string()
    .refine(
      (text) => /^rediss?:\/\/./.test(text) && URL.canParse(text) && new URL(text).hostname !== '',
      'is no Redis address',
    ),
  takes: 'redis://HOST:PORT, or rediss:// for TLS',
};

export const hostName: Reader<string> = {
  schema: z
    .string()
    .refine(
      (text) => isIP(text) !== 0 || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text),
      'is no host name or address',
    ),
  takes: 'an address to listen on or a host name, without brackets and port',
};

export const addresses: Reader<AddressSet> = {
  schema: listOf(z.string().refine(isAddressOrNetwork, 'is no IP address or network')).transform(addressSet),
  takes: 'IP addresses and networks (CIDR), comma-separated',
};

export const trustedProxies: Reader<TrustedProxies> = {
  schema: z.string().transform((text, context): TrustedProxies => {
    if (/^\d{1,2}$/.test(text)) return { kind: 'hops', hops: Number(text) };
    const entries = splitList(text);
    const all = entries.length > 0 && entries.every(isAddressOrNetwork);
    if (all) return { kind: 'addresses', addresses: addressSet(entries) };
    context.addIssue('is neither a number of hops nor a list of addresses');
    return z.NEVER;
  }),
  takes: 'how many proxies stand in front (0 to 99), or their IP addresses and networks, comma-separated',
};

export const exactOrigins: Reader<readonly string[]> = {
  schema: listOf(
    z
      .string()
      .refine(
        (text) => /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text,
        'is no exact origin',
      ),
  ),
  takes: 'origins as browsers send them (https://app.example.com: no path, no wildcard), comma-separated',
};

export const path: Reader<string> = {
  schema: z.string().refine((text) => !text.includes('\0'), 'is no path'),
  takes: 'the path of a JSON file: an object of documents by their hash',
};

export const anyText: Reader<string> = { schema: z.string(), takes: 'a word' };

function listOf<Item>(item: z.ZodType<Item, string>): z.ZodType<readonly Item[], string> {
  return z.string().transform(splitList).pipe(z.array(item).min(1, 'is an empty list'));
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function address(parse: (text: string) => ParsedAddress): z.ZodType<string, string> {
  return z.string().transform((text, context) => {
    const parsed = parse(text);
    if (parsed.kind === 'ok') return parsed.address;
    context.addIssue(parsed.wrong);
    return z.NEVER;
  });
}

/** Undefined where the text is not base64 to the last character: Buffer would skip what it does not know. */
function base64Bytes(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
