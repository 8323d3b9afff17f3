import { instant } from '../../../../src/domain/time.ts';
import { connect } from '../../../../src/store/sqlite/connection.ts';
import { migrate } from '../../../../src/store/sqlite/migrate.ts';
import { migrations } from '../../../../src/store/sqlite/migrations.ts';

// Is killed in the middle of a migration that has done half of its work.
const database = connect(process.argv[2] ?? '');
database.function('die', () => {
  process.kill(process.pid, 'SIGKILL');
  return 0;
});
migrate(
  database,
  [
    ...migrations,
    { name: 'half', sql: 'create table half (a integer) strict; select die(); create table whole (a)' },
  ],
  instant(0),
);
