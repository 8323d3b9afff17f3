import type { Actor, AuditAct } from '../../domain/audit.ts';
import type { Instant } from '../../domain/time.ts';
import type { AuditStore } from '../../ports/store/audit.ts';
import { actorColumns, auditEntryFrom } from '../rows/audit.ts';
import type { Base } from './base.ts';
import { insertInto, select } from './statements.ts';
import type { Transaction } from './transaction.ts';
import { audit } from './watch-tables.ts';

const addEntry = insertInto(audit);
const findAll = select(audit, 'where sequence < $1 order by sequence desc limit $2');
const findOfCaller = select(
  audit,
  'where caller = $3 and caller is not null and sequence < $1 order by sequence desc limit $2',
);

/** Adds an entry, in the transaction that does what it tells of. */
export function addAudit(
  tx: Transaction,
  by: Actor,
  act: AuditAct,
  subject: string | number,
  at: Instant,
): void {
  tx.send(addEntry, addEntry.values([{ ...actorColumns(by), act, subject: String(subject), at }]));
}

export function createAuditStore({ database }: Base): AuditStore {
  return {
    async entries(caller, before, limit) {
      const place = [before ?? Number.MAX_SAFE_INTEGER, limit];
      const rows =
        caller === null
          ? await database.read(findAll, place)
          : await database.read(findOfCaller, [...place, caller]);
      return rows.map(auditEntryFrom);
    },
  };
}
