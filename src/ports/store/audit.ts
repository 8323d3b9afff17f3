import type { AuditEntry } from '../../domain/audit.ts';
import type { CallerName } from '../../domain/ids.ts';

/**
 * Who did what, only ever added to. Nothing is added from here: each operation that somebody asks for takes its `by`, and
 * writes its entry in its own transaction, so that no act is without one. An operation that changed nothing adds none.
 */
export interface AuditStore {
  /** Newest first, before a sequence number (null: from the newest); of one caller, or of all with the command line's. */
  entries(caller: CallerName | null, before: number | null, limit: number): Promise<readonly AuditEntry[]>;
}
