import type { WakeKey } from '../ports/wake.ts';

/** A payload of NOTIFY holds 7,999 bytes. */
const MOST_BYTES = 7_900;
const CANNOT_HEAR = ' deaf';

const alone: readonly WakeKey[] = [
  'sms-of-all',
  'balance',
  'inbox',
  'attempts-due',
  'open-orders',
  'supplier-claims',
  'deliveries-due',
  'keys',
  'alerts',
];
const KEY = new RegExp(`^(${alone.join('|')}|(order|attempt|sms-of|supplier-order):[\\x21-\\x7e]+)$`);

/** What one instance tells the others: who it is, and what has news. Keys alone, never data. */
export interface Announcement {
  readonly origin: string;
  /** It hears nothing by Redis just now. */
  readonly isDeaf: boolean;
  readonly keys: readonly WakeKey[];
}

/** As texts that each fit into one payload. */
export function toTexts(origin: string, keys: Iterable<WakeKey>): readonly string[] {
  const texts: string[] = [];
  let text = origin;
  for (const key of keys) {
    // Keys and origins are ASCII.
    if (text.length + 1 + key.length > MOST_BYTES) {
      texts.push(text);
      text = origin;
    }
    text += `\n${key}`;
  }
  return text === origin ? texts : [...texts, text];
}

/** A sign of life, without news. */
export function lifeSign(origin: string, isDeaf = false): string {
  return isDeaf ? origin + CANNOT_HEAR : origin;
}

/** What cannot be understood, a newer version's key say, is left out: its news is found a little later. */
export function fromText(text: string): Announcement {
  const [head = '', ...lines] = text.split('\n');
  const isDeaf = head.endsWith(CANNOT_HEAR);
  const origin = isDeaf ? head.slice(0, -CANNOT_HEAR.length) : head;
  return { origin, isDeaf, keys: lines.filter(isWakeKey) };
}

function isWakeKey(line: string): line is WakeKey {
  return KEY.test(line);
}
