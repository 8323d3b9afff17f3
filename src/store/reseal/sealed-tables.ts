import { copiedTables } from '../copy/tables.ts';
import { NUMBER_PLACE, textPlace } from '../sealed-form.ts';
import { toStoredText } from '../stored-text.ts';
import type { Renewal } from './renewal.ts';

/** By the names of columns. Whole numbers are texts or numbers, as the driver gives them. */
export type KeptRow = Readonly<Record<string, string | number | Buffer | null>>;

/** A table of both stores that holds something sealed. */
export interface SealedTable {
  readonly name: string;
  /** By which its rows are told apart, and in whose order they are looked at. */
  readonly key: readonly string[];
  readonly sealed: readonly string[];
  /** What else it takes to seal them. */
  readonly beside: readonly string[];
  renewed(row: KeptRow, renewal: Renewal): KeptRow;
}

export const sealedTables: readonly SealedTable[] = [
  {
    ...named('orders'),
    sealed: ['phone_number', 'otp_code', 'otp_message'],
    beside: ['sms_revision'],
    renewed(row, renewal) {
      const place = (what: 'message' | 'code'): string =>
        textPlace(what, whole(row['id']), whole(row['sms_revision']));
      return {
        ...row,
        phone_number: ofText(row['phone_number'], (kept) => renewal.text(kept, NUMBER_PLACE)),
        otp_code: ofText(row['otp_code'], (kept) => renewal.text(kept, place('code'))),
        otp_message: ofText(row['otp_message'], (kept) => renewal.text(kept, place('message'))),
      };
    },
  },
  {
    ...named('sms_revisions'),
    sealed: ['message', 'otp_code'],
    beside: [],
    renewed(row, renewal) {
      const place = (what: 'message' | 'code'): string =>
        textPlace(what, whole(row['order_id']), whole(row['revision']));
      return {
        ...row,
        message: ofText(row['message'], (kept) => renewal.text(kept, place('message'))),
        otp_code: ofText(row['otp_code'], (kept) => renewal.text(kept, place('code'))),
      };
    },
  },
  {
    ...named('inbox'),
    sealed: ['body'],
    beside: [],
    renewed: (row, renewal) => ({ ...row, body: ofBytes(row['body'], renewal.body) }),
  },
  {
    ...named('supplier_deliveries'),
    sealed: ['body'],
    beside: [],
    renewed: (row, renewal) => ({ ...row, body: ofBytes(row['body'], renewal.bare) }),
  },
  {
    ...named('attempt_evidence'),
    sealed: ['reply'],
    beside: [],
    renewed: (row, renewal) => ({
      ...row,
      reply: ofText(row['reply'], (kept) => renewedReply(kept, renewal)),
    }),
  },
];

/** A reply is kept as JSON, the texts in it sealed each. */
function renewedReply(kept: string, renewal: Renewal): string {
  const reply: unknown = JSON.parse(kept);
  return isObject(reply) && Array.isArray(reply['orders'])
    ? JSON.stringify({ ...reply, orders: reply['orders'].map((order) => renewedOrder(order, renewal)) })
    : kept;
}

function renewedOrder(order: unknown, renewal: Renewal): unknown {
  if (!isObject(order)) return order;
  const { id, phoneNumber, evidence } = order;
  return {
    ...order,
    ...(typeof phoneNumber === 'string' && { phoneNumber: inJson(phoneNumber, NUMBER_PLACE, renewal) }),
    ...(isObject(evidence) && { evidence: renewedEvidence(whole(id), evidence, renewal) }),
  };
}

function renewedEvidence(
  orderId: string,
  evidence: Readonly<Record<string, unknown>>,
  renewal: Renewal,
): unknown {
  const { revision, message, otpCode } = evidence;
  const place = (what: 'message' | 'code'): string => textPlace(what, orderId, whole(revision));
  return {
    ...evidence,
    ...(typeof message === 'string' && { message: inJson(message, place('message'), renewal) }),
    ...(typeof otpCode === 'string' && { otpCode: inJson(otpCode, place('code'), renewal) }),
  };
}

/** In JSON a text of old is in no stored form. */
function inJson(kept: string, place: string, renewal: Renewal): string {
  return renewal.text(toStoredText(kept), place);
}

function named(name: string): Pick<SealedTable, 'name' | 'key'> {
  const table = copiedTables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`there is no table ${name}`);
  return { name, key: table.key };
}

function whole(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  throw new Error('a sealed row does not tell where it belongs');
}

function ofText(value: KeptRow[string] | undefined, renew: (kept: string) => string): string | null {
  if (typeof value === 'string') return renew(value);
  if (value === null) return null;
  throw new Error('a column of texts holds something else');
}

function ofBytes(value: KeptRow[string] | undefined, renew: (kept: Uint8Array) => Uint8Array): Buffer {
  if (Buffer.isBuffer(value)) return Buffer.from(renew(value));
  throw new Error('a column of bytes holds something else');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
