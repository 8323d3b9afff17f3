import { describe, expect, it } from 'vitest';
import type { HttpResult } from '../../../src/upstream/http.ts';
import { cancelReply, finishReply, resendReply } from '../../../src/upstream/smscode/action-reply.ts';
import { answered, failed, succeeded, unanswered } from '../support/fake-upstream.ts';
import { order } from '../support/ids.ts';

const id = order(90210);
const receipts = {
  cancel: { order_id: 90210, status: 'CANCELED', refund_amount: 750_000, new_balance: 2_000_000 },
  finish: { order_id: 90210, status: 'COMPLETED' },
  resend: { order_id: 90210, status: 'ACTIVE', resent: true },
};
const read = {
  cancel: (result: HttpResult) => cancelReply(result, id),
  finish: (result: HttpResult) => finishReply(result, id),
  resend: (result: HttpResult) => resendReply(result, id),
};
const actions = ['cancel', 'finish', 'resend'] as const;
const unclear = { kind: 'unclear' };

describe('a receipt', () => {
  it('of a cancel has the figures', () => {
    expect(read.cancel(succeeded(receipts.cancel))).toEqual({
      kind: 'receipt',
      receipt: { refundAmount: 750_000, newBalance: 2_000_000 },
    });
    expect(read.cancel(succeeded({ ...receipts.cancel, refund_amount: 0, new_balance: -5 }))).toMatchObject({
      receipt: { refundAmount: 0, newBalance: -5 },
    });
  });

  it('of a finish has none, and of a resend says whether it was passed on', () => {
    expect(read.finish(succeeded(receipts.finish))).toEqual({ kind: 'receipt', receipt: null });
    for (const resent of [true, false]) {
      const reply = read.resend(succeeded({ ...receipts.resend, resent }));
      expect(reply).toEqual({ kind: 'receipt', receipt: { resent } });
    }
  });

  it.each(actions)('of a %s may come with meta', (action) => {
    expect(read[action](succeeded(receipts[action], {}))).toMatchObject({ kind: 'receipt' });
  });
});

describe('no receipt, so unclear', () => {
  it.each(actions)('%s: of another order, of another shape, under another status', (action) => {
    const receipt = receipts[action];
    const data: unknown[] = [
      { ...receipt, order_id: 90211 },
      { ...receipt, order_id: '90210' },
      { ...receipt, order_id: null },
      { ...receipt, status: 'EXPIRED?' },
      { ...receipt, note: 'x' },
      ...Object.keys(receipt).map((missing) =>
        Object.fromEntries(Object.entries(receipt).filter(([name]) => name !== missing)),
      ),
      [receipt],
      null,
      {},
    ];
    for (const each of data) expect(read[action](succeeded(each))).toEqual(unclear);
    expect(read[action](answered(201, { success: true, data: receipt }))).toEqual(unclear);
    expect(read[action](answered(302, { success: true, data: receipt }))).toEqual(unclear);
    expect(read[action](answered(500, { success: true, data: receipt }))).toEqual(unclear);
    expect(read[action](answered(200, { success: 1, data: receipt }))).toEqual(unclear);
    expect(read[action](answered(200, { success: true, data: receipt, error: null }))).toEqual(unclear);
    expect(read[action](answered(200, { success: true, data: receipt, trace: 'x' }))).toEqual(unclear);
    const twice = JSON.stringify({ success: true, data: receipt }).replace(
      '{"order_id"',
      '{"order_id":1,"order_id"',
    );
    expect(read[action](answered(200, twice))).toEqual(unclear);
  });

  it('a cancel that is not CANCELED, or whose figures are none', () => {
    for (const status of ['ACTIVE', 'COMPLETED', 'canceled', null]) {
      expect(read.cancel(succeeded({ ...receipts.cancel, status }))).toEqual(unclear);
    }
    for (const figure of ['-1', '"5"', '1.0', '1e3', 'null', 'true', '9007199254740993']) {
      const text = JSON.stringify({ success: true, data: receipts.cancel }).replace('750000', figure);
      expect(read.cancel(answered(200, text))).toEqual(unclear);
    }
    for (const figure of ['"5"', '1.5', 'null', '9007199254740993']) {
      const text = JSON.stringify({ success: true, data: receipts.cancel }).replace('2000000', figure);
      expect(read.cancel(answered(200, text))).toEqual(unclear);
    }
  });

  it('a finish that is not COMPLETED, a resend that says nothing of it', () => {
    expect(read.finish(succeeded({ ...receipts.finish, status: 'OTP_RECEIVED' }))).toEqual(unclear);
    expect(read.resend(succeeded({ ...receipts.resend, resent: 'true' }))).toEqual(unclear);
    expect(read.resend(succeeded({ ...receipts.resend, status: 'SENT' }))).toEqual(unclear);
  });

  it.each(actions)('%s without an answer', (action) => {
    for (const why of ['connect', 'timeout', 'broken', 'too-large'] as const) {
      expect(read[action](unanswered(why))).toEqual(unclear);
    }
    expect(read[action](answered(200, '<html>'))).toEqual(unclear);
    expect(read[action](answered(502, '<html>'))).toEqual(unclear);
  });
});

describe('a rejection is a documented pair of status and code, and no other', () => {
  const common = [
    '401 UNAUTHORIZED',
    '404 NOT_FOUND',
    '409 CONFLICT',
    '422 VALIDATION_ERROR',
    '429 RATE_LIMIT_EXCEEDED',
    '500 INTERNAL_ERROR',
    '503 SERVICE_UNAVAILABLE',
  ];
  const documented = {
    cancel: [...common, '409 CANCEL_TOO_EARLY', '422 PROVIDER_ERROR'],
    finish: common,
    resend: [...common, '422 PROVIDER_ERROR'],
  };
  const statuses = [200, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503];
  const codes = [
    ...['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'VALIDATION_ERROR', 'PROVIDER_ERROR', 'NO_OFFER_AVAILABLE'],
    ...[
      'IDEMPOTENCY_KEY_REUSED',
      'INSUFFICIENT_BALANCE',
      'CONFLICT',
      'CANCEL_TOO_EARLY',
      'REQUEST_IN_PROGRESS',
    ],
    ...[
      'RATE_LIMIT_EXCEEDED',
      'TEMP_BANNED_ABUSE_GUARD',
      'SERVICE_UNAVAILABLE',
      'INTERNAL_ERROR',
      'constructor',
    ],
  ];

  it.each(actions)('%s', (action) => {
    const rejected: string[] = [];
    for (const httpStatus of statuses) {
      for (const code of codes) {
        const reply = read[action](failed(httpStatus, code));
        if (reply.kind === 'rejected') {
          expect(reply).toEqual({ kind: 'rejected', httpStatus, code });
          rejected.push(`${httpStatus} ${code}`);
        } else expect(reply).toEqual(unclear);
      }
    }
    expect(rejected.sort()).toEqual([...documented[action]].sort());
  });

  it.each(actions)('%s: the shape must be exact', (action) => {
    const error = { code: 'NOT_FOUND', message: 'x' };
    expect(read[action](answered(404, { success: false, error, id: 1 }))).toEqual(unclear);
    expect(read[action](answered(404, { success: false, error: { code: 'NOT_FOUND' } }))).toEqual(unclear);
    expect(read[action](answered(404, { error }))).toEqual(unclear);
  });
});
