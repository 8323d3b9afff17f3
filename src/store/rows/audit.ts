import { type Actor, type AuditEntry, auditActs } from '../../domain/audit.ts';
import { parseCallerName, parseKeyId } from '../../domain/ids.ts';
import { type RowReader, rowReader } from '../bad-row.ts';

interface ActorColumns {
  readonly actor: string;
  readonly caller: string | null;
  readonly keyId: string | null;
  readonly requestId: string | null;
}

export interface AuditRow extends ActorColumns {
  readonly sequence: number;
  readonly at: number;
  readonly act: string;
  readonly subject: string;
}

export function actorColumns(by: Actor): ActorColumns {
  switch (by.kind) {
    case 'caller':
      return { actor: by.kind, caller: by.caller, keyId: by.keyId, requestId: by.requestId };
    case 'shell':
      return { actor: by.kind, caller: null, keyId: null, requestId: null };
  }
}

export function auditEntryFrom(row: AuditRow): AuditEntry {
  const read = rowReader('audit', row.sequence);
  return {
    sequence: row.sequence,
    at: read.instant(row.at),
    by: actorFrom(row, read),
    // Neither thrown nor left out: a page of the audit must not fail, nor hide that something was done.
    act: auditActs.find((act) => act === row.act) ?? 'UNKNOWN',
    subject: row.subject,
  };
}

function actorFrom(row: ActorColumns, read: RowReader): Actor {
  const kind = read.oneOf(row.actor, ['caller', 'shell']);
  if (kind === 'shell') return { kind };
  return {
    kind,
    caller: read.sure(read.maybe(row.caller, parseCallerName)),
    keyId: read.maybe(row.keyId, parseKeyId),
    requestId: read.sure(row.requestId),
  };
}
