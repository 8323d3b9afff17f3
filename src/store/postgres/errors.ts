import { DatabaseError } from 'pg';

/** What an error of the driver or the server says of the operation that it ended. */
export type Failure =
  /** The server undid it for the sake of another, which is through now: it may simply be done again. */
  | 'conflict'
  /** The connection is gone. What was not committed is undone. */
  | 'lost'
  /** The database cannot serve now: full, starting, read-only, out of connections, or a lock was not to be had. */
  | 'unavailable'
  /** Everything else is the operation's own fault. */
  | 'other';

/**
 * Serialization failure, deadlock, and a key that another has just taken. The last one is met where two make the same row
 * at the same time: done again, the operation finds the other's.
 */
const CONFLICT = /^(40001|40P01|23505)$/;
/** Connection exceptions; ended by an operator, a crash or a restart; idle in a transaction for too long. */
const LOST = /^(08...|57P01|57P02|25P03)$/;
/** Out of something; the server's own trouble; not now; a statement or a lock took too long; a standby. */
const UNAVAILABLE = /^(53...|57...|58...|55P03|25006|XX...)$/;

/** What the driver says of a broken connection has no code, and these words. */
const BROKEN = /^(Connection terminated|Client has encountered a connection error|Query read timeout)/;
const BROKEN_SOCKET = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED']);

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return 'other';
  if (error instanceof DatabaseError) {
    const code = error.code ?? '';
    if (CONFLICT.test(code)) return 'conflict';
    if (LOST.test(code)) return 'lost';
    return UNAVAILABLE.test(code) ? 'unavailable' : 'other';
  }
  if (BROKEN.test(error.message) || BROKEN_SOCKET.has(codeOf(error))) return 'lost';
  return 'other';
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
