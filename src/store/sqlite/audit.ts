import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { Actor, AuditAct } from '../../domain/audit.ts';
import type { Instant } from '../../domain/time.ts';
import type { AuditStore } from '../../ports/store/audit.ts';
import { actorColumns, auditEntryFrom } from '../rows/audit.ts';
import type { Base } from './base.ts';
import { audit } from './watch-tables.ts';
import { rowWriter } from './write-rows.ts';

/** Adds entries. To be used inside of the write that does what they tell of. */
export interface AuditBook {
  add(by: Actor, act: AuditAct, subject: string | number, at: Instant): void;
}

export function createAuditBook({ database }: Base): AuditBook {
  const save = rowWriter(database, audit, 'fail');
  return {
    add(by, act, subject, at) {
      save({ ...actorColumns(by), act, subject: String(subject), at });
    },
  };
}

export function createAuditStore({ db }: Base): AuditStore {
  const before = lt(audit.sequence, sql.placeholder('before'));
  const entries = (ofCaller: ReturnType<typeof and>) =>
    db
      .select()
      .from(audit)
      .where(and(ofCaller, before))
      .orderBy(desc(audit.sequence))
      .limit(sql.placeholder('limit'))
      .prepare();
  const ofAll = entries(undefined);
  // The second term as the partial index says it, or the planner does not take it.
  const ofOne = entries(and(eq(audit.caller, sql.placeholder('caller')), isNotNull(audit.caller)));
  return {
    async entries(caller, sequence, limit) {
      const place = { before: sequence ?? Number.MAX_SAFE_INTEGER, limit };
      const rows = caller === null ? ofAll.all(place) : ofOne.all({ ...place, caller });
      return rows.map(auditEntryFrom);
    },
  };
}
