import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../src/domain/time.ts';
import { parseJson } from '../../../src/upstream/json.ts';
import { readSnapshot } from '../../../src/upstream/smscode/snapshot.ts';
import { order } from '../support/ids.ts';

const id = order(90210);

function read(text: string, asked: typeof id | null = id) {
  const parsed = parseJson(new TextEncoder().encode(text));
  if (parsed.kind === 'not-json') throw new Error(parsed.why);
  return readSnapshot(parsed.value, asked);
}

const withFields = (fields: string) => read(`{"id":90210,"status":"ACTIVE",${fields}}`);

describe('a snapshot is valid', () => {
  it('with an id and a known status, and nothing else', () => {
    expect(read('{"id":90210,"status":"EXPIRED"}')).toEqual({
      id: 90210,
      status: 'EXPIRED',
      capabilities: {},
      evidence: null,
    });
  });

  it.each([
    ['of another order', '{"id":90211,"status":"ACTIVE"}'],
    ['an id as text', '{"id":"90210","status":"ACTIVE"}'],
    ['an id as a fraction', '{"id":90210.0,"status":"ACTIVE"}'],
    ['an id that is true', '{"id":true,"status":"ACTIVE"}'],
    ['no id', '{"status":"ACTIVE"}'],
    ['an unknown status', '{"id":90210,"status":"REFUNDED"}'],
    ['a status in lower case', '{"id":90210,"status":"active"}'],
    ['no status', '{"id":90210}'],
    ['refund figures', '{"id":90210,"status":"CANCELED","refund_amount":1}'],
    ['refund figures of null', '{"id":90210,"status":"CANCELED","refund_amount":null}'],
    ['a balance', '{"id":90210,"status":"CANCELED","new_balance":1}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '90210.5'],
    ['its fields in the prototype', '{"__proto__":{"id":90210,"status":"ACTIVE"}}'],
  ])('not: %s', (_name, text) => {
    expect(read(text)).toBeNull();
  });

  it('of an order that nobody asked for, the id must be an int32 all the same', () => {
    expect(read('{"id":7,"status":"ACTIVE"}', null)).toMatchObject({ id: 7 });
    expect(read('{"id":2147483648,"status":"ACTIVE"}', null)).toBeNull();
  });
});

describe('every other field is as if not told', () => {
  const fields = {
    phone_number: ['1', 'true', '{}'],
    amount: ['"1"', '1.5', 'null', 'true', '9007199254740993'],
    product_id: ['"1"', 'null', '2147483648', 'true'],
    catalog_product_id: ['"1"', '1.0', '[]'],
    operator_id: ['"1"', '2147483648'],
    operator_name: ['7', '[]'],
    otp_received_at: ['1', '"yesterday"', '"2026-03-16T10:12:35"', '"2026-02-30T00:00:00Z"', '""'],
    expires_at: ['1', '"2026-03-16"', 'false'],
    failed_reason: ['1'],
    canceled_at: ['{}'],
    created_at: ['0'],
    can_finish: ['"true"', '1', 'null'],
    can_resend: ['0'],
    can_cancel: ['"false"', 'null'],
    can_replace: ['[]'],
    can_reactivate: ['1.0'],
    resend_available_at: ['"soon"', '5'],
    cancel_available_at: ['"2026-03-16T10:12:35"'],
    replace_available_at: ['true'],
  };
  it.each(Object.entries(fields).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    '%s that is %s',
    (name, value) => {
      expect(withFields(`"${name}":${value}`)).toEqual({
        id: 90210,
        status: 'ACTIVE',
        capabilities: {},
        evidence: null,
      });
    },
  );

  it('null is told as null', () => {
    expect(
      withFields('"phone_number":null,"expires_at":null,"operator_id":null,"resend_available_at":null'),
    ).toEqual({
      id: 90210,
      status: 'ACTIVE',
      phoneNumber: null,
      expiresAt: null,
      operatorId: null,
      capabilities: { resendAvailableAt: null },
      evidence: null,
    });
  });

  it.each(['2026-03-16T10:30:00Z', '2026-03-16T16:00:00.123456+05:30', '9999-12-31T23:59:59Z'])(
    'an instant with any zone: %s',
    (text) => {
      expect(withFields(`"expires_at":"${text}"`)?.expiresAt).toBe(parseInstant(text));
    },
  );
});

describe('the evidence of a message', () => {
  it.each(['ACTIVE', 'OTP_RECEIVED', 'COMPLETED', 'CANCELED', 'EXPIRED'])(
    'is asked of no status: %s',
    (status) => {
      const text = `{"id":90210,"status":"${status}","sms_revision":3,"otp_message":" hi ","otp_code":null}`;
      expect(read(text)?.evidence).toEqual({ revision: 3, message: ' hi ', otpCode: null });
    },
  );

  it('the code may be there, null, missing or of a wrong type', () => {
    const evidence = (more: string) => withFields(`"sms_revision":0,"otp_message":"x"${more}`)?.evidence;
    expect(evidence(',"otp_code":"0042"')).toEqual({ revision: 0, message: 'x', otpCode: '0042' });
    expect(evidence(',"otp_code":42')).toEqual({ revision: 0, message: 'x', otpCode: null });
    expect(evidence('')).toEqual({ revision: 0, message: 'x', otpCode: null });
  });

  it.each([
    '"sms_revision":true,"otp_message":"x"',
    '"sms_revision":"1","otp_message":"x"',
    '"sms_revision":1.0,"otp_message":"x"',
    '"sms_revision":1e2,"otp_message":"x"',
    '"sms_revision":9007199254740993,"otp_message":"x"',
    '"sms_revision":null,"otp_message":"x"',
    '"otp_message":"x"',
    '"sms_revision":1,"otp_message":" \\n\\u3000"',
    '"sms_revision":1,"otp_message":""',
    '"sms_revision":1,"otp_message":null',
    '"sms_revision":1,"otp_message":7',
    '"sms_revision":1',
    '"sms_revision":1,"otp_code":"123456"',
  ])('is none: %s', (fields) => {
    expect(withFields(fields)).toMatchObject({ status: 'ACTIVE', evidence: null });
  });
});

it('never throws, and never tells undefined, whatever the fields hold', () => {
  const names = fc.constantFrom(
    'id',
    'status',
    'phone_number',
    'expires_at',
    'can_cancel',
    'sms_revision',
    'x',
  );
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue({ maxDepth: 1 })), (fields) => {
      const snapshot = read(JSON.stringify({ id: 90210, status: 'ACTIVE', ...fields }));
      if (snapshot !== null) {
        expect(Object.values(snapshot)).not.toContain(undefined);
        expect(Object.values(snapshot.capabilities)).not.toContain(undefined);
      }
    }),
  );
});
