import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Visibility } from '../domain/access.ts';
import type { CursorScope, Cursors, CursorValue } from '../schema/context.ts';

/** 128 bits: out of reach of guessing, and short enough to keep a cursor on one line. */
const SIGNATURE_BYTES = 16;

/** Cursors of one database: `secret` is its `cursorSecret()`, so that they hold on every instance and after a restart. */
export function createCursors(secret: string): Cursors {
  const sign = (scope: CursorScope, position: string): Buffer => {
    const signed = JSON.stringify([scope.list, audience(scope.visibility), scope.question, position]);
    return createHmac('sha256', secret).update(signed, 'utf8').digest().subarray(0, SIGNATURE_BYTES);
  };
  return {
    seal(scope, position) {
      const text = JSON.stringify(position satisfies readonly CursorValue[]);
      return Buffer.concat([sign(scope, text), Buffer.from(text, 'utf8')]).toString('base64url');
    },
    open(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Node skips what is no base64url: two spellings of one cursor would be two cursors.
      if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== cursor) return null;
      const text = bytes.subarray(SIGNATURE_BYTES).toString('utf8');
      if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(scope, text))) return null;
      const position: unknown = JSON.parse(text);
      return Array.isArray(position) ? position : null;
    },
  };
}

function audience(visibility: Visibility): string {
  return visibility.kind === 'all' ? '*' : `=${visibility.caller}`;
}
