import type { Migration } from '../../migration.ts';

export const audit: Migration = {
  name: '0004-audit',
  // The triggers hold the program itself to its word; whoever has the file can take them away.
  sql: `
create table audit (
  sequence integer primary key autoincrement not null,
  at integer not null,
  actor text not null,
  caller text,
  key_id text,
  request_id text,
  act text not null,
  subject text not null
) strict;
create index audit_of_caller on audit (caller, sequence) where caller is not null;
create trigger audit_is_not_changed before update on audit
  begin select raise(abort, 'the audit is only added to'); end;
create trigger audit_is_not_erased before delete on audit
  begin select raise(abort, 'the audit is only added to'); end;
`,
};
