import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../src/domain/time.ts';
import { createWebhookReader } from '../../../src/upstream/smscode/webhook.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const sign = (body: Uint8Array, secret: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const sha256 = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');

const reader = createWebhookReader(['newest', 'older']);

const data = {
  order_id: 90210,
  phone_number: '+62811',
  otp_code: null,
  otp_message: 'Your code: 1234',
  sms_revision: 1,
  product_id: 1024,
  catalog_product_id: 88,
  country: 'India',
  platform: 'WhatsApp',
  operator_id: null,
  operator_name: null,
  can_finish: true,
  can_resend: false,
  resend_available_at: '2026-08-10T09:16:00Z',
};
const sms = (change: object = {}, event: unknown = 'order.otp_received') =>
  bytes(JSON.stringify({ event, timestamp: '2026-08-10T09:15:30Z', data: { ...data, ...change } }));
/** With one field as JSON text, for what JSON.stringify does not write. */
const smsWith = (field: string, value: string) =>
  bytes(
    JSON.stringify({ event: 'order.otp_received', data: { ...data, [field]: '@' } }).replace('"@"', value),
  );

describe('D3, D11, D14: the signature', () => {
  const body = bytes('\ufeff{"event":"webhook.test",\r\n "data":{"message":"é😀"}}');

  it('is over the bytes as received, by any secret in force', () => {
    expect(reader.isGenuine(body, sign(body, 'newest'))).toBe(true);
    expect(reader.isGenuine(body, sign(body, 'older'))).toBe(true);
    expect(reader.isGenuine(body, sign(body, 'retired'))).toBe(false);
    expect(reader.isGenuine(body.subarray(3), sign(body, 'newest'))).toBe(false);
    expect(reader.isGenuine(bytes(''), sign(bytes(''), 'newest'))).toBe(true);
    const raw = Uint8Array.from([0, 255, 254, 10]);
    expect(reader.isGenuine(raw, sign(raw, 'newest'))).toBe(true);
  });

  it('an encoded secret is its text', () => {
    const odd = createWebhookReader(['schlüssel 🔑']);
    expect(odd.isGenuine(body, sign(body, 'schlüssel 🔑'))).toBe(true);
  });

  it('without a secret nothing is genuine, not even what is signed by none', () => {
    expect(createWebhookReader([]).isGenuine(body, sign(body, ''))).toBe(false);
  });

  const good = sign(body, 'newest');
  const hex = good.slice('sha256='.length);
  it.each<[string, string | null]>([
    ['missing', null],
    ['empty', ''],
    ['bare hex', hex],
    ['upper-case hex', `sha256=${hex.toUpperCase()}`],
    ['an upper-case name', `SHA256=${hex}`],
    ['sha1', `sha1=${createHmac('sha1', 'newest').update(body).digest('hex')}`],
    ['sha1 of 64 digits', `sha1=${hex}`],
    ['cut', good.slice(0, -1)],
    ['cut to even digits', good.slice(0, -2)],
    ['longer', `${good}0`],
    ['two', `${good}, ${good}`],
    ['with a blank', ` ${good}`],
    ['with a line break', `${good}\n`],
    ['not hex', `sha256=${'g'.repeat(64)}`],
    ['base64', `sha256=${createHmac('sha256', 'newest').update(body).digest('base64')}`],
    ['wide digits', `sha256=${'０'.repeat(64)}`],
    ['huge', `sha256=${'0'.repeat(1_000_000)}`],
    ['one bit off', good.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
  ])('%s: not genuine', (_name, signature) => {
    expect(reader.isGenuine(body, signature)).toBe(false);
  });
});

describe('D1, D5: the dedupe key', () => {
  const keyOf = (body: Uint8Array) => reader.envelope(body).dedupeKey;

  it('a message’s is its order and revision', () => {
    expect(reader.envelope(sms())).toEqual({
      kind: 'event',
      dedupeKey: 'order.otp_received:90210:1',
      event: 'order.otp_received',
      orderId: 90210,
      revision: 1,
    });
    expect(keyOf(sms({ sms_revision: -5 }))).toBe('order.otp_received:90210:-5');
    expect(keyOf(sms({ sms_revision: 0, otp_code: '1' }))).toBe('order.otp_received:90210:0');
    expect(keyOf(smsWith('sms_revision', '-0'))).toBe('order.otp_received:90210:0');
  });

  it.each(['"1"', 'null', 'true', '1.5', '1.0', '1e400', '9007199254740993', '[1]', '{}'])(
    'a revision of %s takes no good event’s key',
    (value) => {
      const body = smsWith('sms_revision', value);
      expect(reader.envelope(body)).toEqual({
        kind: 'event',
        dedupeKey: `order.otp_received:${sha256(body)}`,
        event: 'order.otp_received',
        orderId: 90210,
        revision: null,
      });
      expect(reader.event(body).kind).toBe('nothing');
    },
  );

  it.each(['null', '""', '" \\n\\t"', '7', '["x"]'])('nor does a message of %s', (value) => {
    const body = smsWith('otp_message', value);
    expect(keyOf(body)).toBe(`order.otp_received:${sha256(body)}`);
    expect(reader.event(body).kind).toBe('nothing');
  });

  it.each(['null', '"90210"', '2147483648', '1.0', 'true'])('nor does an order of %s', (value) => {
    const body = smsWith('order_id', value);
    expect(reader.envelope(body)).toMatchObject({
      dedupeKey: `order.otp_received:${sha256(body)}`,
      orderId: null,
      revision: null,
    });
    expect(reader.event(body).kind).toBe('nothing');
  });

  it('a terminal event’s is its order', () => {
    for (const event of ['order.completed', 'order.canceled', 'order.expired', 'order.refunded']) {
      expect(reader.envelope(sms({ sms_revision: null }, event))).toEqual({
        kind: 'event',
        dedupeKey: `${event}:90210`,
        event,
        orderId: 90210,
        revision: null,
      });
      const without = sms({ order_id: 'x' }, event);
      expect(reader.envelope(without)).toMatchObject({
        dedupeKey: `${event}:${sha256(without)}`,
        orderId: null,
      });
    }
  });

  it('a test’s is its body, and it is of no order', () => {
    for (const body of [
      bytes('{"event":"webhook.test","data":{"message":"hi"}}'),
      sms({}, 'webhook.test'),
      bytes('{"event":"webhook.test"}'),
    ]) {
      expect(reader.envelope(body)).toEqual({
        kind: 'event',
        dedupeKey: `webhook.test:${sha256(body)}`,
        event: 'webhook.test',
        orderId: null,
        revision: null,
      });
      expect(reader.event(body)).toEqual({ kind: 'test' });
    }
  });

  it.each([
    null,
    7,
    '',
    'x'.repeat(65),
    'order completed',
    'order:completed',
    'ördér',
    'a\n',
    ['order.completed'],
  ])('an event named %j goes under "unknown"', (event) => {
    const body = sms({}, event);
    expect(reader.envelope(body)).toMatchObject({ event: 'unknown', dedupeKey: `unknown:${sha256(body)}` });
    expect(reader.event(body).kind).toBe('nothing');
  });

  it('so does one without a name', () => {
    const body = bytes(JSON.stringify({ data }));
    expect(keyOf(body)).toBe(`unknown:${sha256(body)}`);
  });

  it('an event that names itself unknown is no exception', () => {
    const body = sms({}, 'unknown');
    expect(keyOf(body)).toBe(`unknown:${sha256(body)}`);
  });

  it.each<[string, Uint8Array]>([
    ['broken', bytes('{"event":"order.otp_received"')],
    ['empty', bytes('')],
    ['a list', bytes('[]')],
    ['a text', bytes('"x"')],
    ['null', bytes('null')],
    ['a number', bytes('1.5')],
    ['form fields', bytes('event=order.completed')],
    ['equal keys', bytes('{"event":"order.completed","event":"order.expired","data":{"order_id":1}}')],
    ['equal keys inside', bytes('{"event":"order.completed","data":{"order_id":1,"order_id":2}}')],
    ['not UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['nested without end', bytes('{"a":'.repeat(100_000))],
  ])('D13: %s is rejected under its own hash', (_name, body) => {
    expect(reader.envelope(body)).toEqual({
      kind: 'rejected',
      dedupeKey: `rejected:${sha256(body)}`,
      why: expect.any(String),
    });
    expect(reader.event(body).kind).toBe('nothing');
  });
});

describe('the event', () => {
  it('of a message has its evidence and what else it tells', () => {
    expect(reader.event(sms())).toEqual({
      kind: 'sms',
      orderId: 90210,
      evidence: { revision: 1, message: 'Your code: 1234', otpCode: null },
      facts: {
        phoneNumber: '+62811',
        productId: 1024,
        catalogProductId: 88,
        operatorId: null,
        operatorName: null,
        capabilities: {
          canFinish: true,
          canResend: false,
          resendAvailableAt: parseInstant('2026-08-10T09:16:00Z'),
        },
        emittedAt: parseInstant('2026-08-10T09:15:30Z'),
      },
    });
  });

  it.each([
    ['order.completed', 'COMPLETED'],
    ['order.canceled', 'CANCELED'],
    ['order.expired', 'EXPIRED'],
  ])('%s ends its order as %s', (name, status) => {
    expect(reader.event(sms({ sms_revision: null }, name))).toMatchObject({
      kind: 'ended',
      orderId: 90210,
      status,
    });
  });

  it('further keys, wrong flags and an unreadable time cost nobody his message', () => {
    const body = bytes(
      JSON.stringify({
        event: 'order.otp_received',
        timestamp: 'lately',
        version: 2,
        data: { ...data, status: 'OTP_RECEIVED', can_finish: 'yes', phone_number: 7, refund_amount: 1 },
      }),
    );
    expect(reader.event(body)).toMatchObject({
      kind: 'sms',
      evidence: { revision: 1 },
      facts: { capabilities: { canResend: false }, emittedAt: null },
    });
    const event = reader.event(body);
    expect(event.kind === 'sms' && event.facts).not.toHaveProperty('phoneNumber');
  });

  it('a byte order mark is no reason to lose one either', () => {
    const body = Uint8Array.from([0xef, 0xbb, 0xbf, ...sms()]);
    expect(reader.event(body).kind).toBe('sms');
    expect(reader.envelope(body).dedupeKey).toBe('order.otp_received:90210:1');
  });

  it('without data is nothing', () => {
    for (const more of ['', ',"data":null', ',"data":[]', ',"data":1.5']) {
      expect(reader.event(bytes(`{"event":"order.completed"${more}}`)).kind).toBe('nothing');
    }
  });

  it('is total, and what has the key of a message is a message', () => {
    const field = fc.constantFrom(
      'order_id',
      'sms_revision',
      'otp_message',
      'otp_code',
      'can_finish',
      '__proto__',
    );
    const name = fc.oneof(
      fc.constantFrom('order.otp_received', 'order.expired', 'webhook.test'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(name, fc.dictionary(field, fc.jsonValue({ maxDepth: 1 })), (event, change) => {
        const body = sms(change, event);
        const envelope = reader.envelope(body);
        const isMessage = reader.event(body).kind === 'sms';
        expect(envelope.dedupeKey).toMatch(/^[A-Za-z0-9._-]{1,64}:(-?\d+|-?\d+:-?\d+|[0-9a-f]{64})$/);
        expect(/^order\.otp_received:-?\d+:-?\d+$/.test(envelope.dedupeKey)).toBe(isMessage);
      }),
      { numRuns: 500 },
    );
  });

  it('any bytes at all are answered', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.string(), (body, signature) => {
        expect(reader.isGenuine(body, signature)).toBe(false);
        expect(reader.envelope(body).dedupeKey).toContain(':');
        reader.event(body);
      }),
    );
  });
});
