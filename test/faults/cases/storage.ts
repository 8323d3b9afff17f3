import { type FaultCase, proven } from './fault-case.ts';

const migrations = 'test/store/sqlite/migrations.test.ts';
const writer = 'test/store/sqlite/writer.test.ts';
const full = 'test/faults/full-disk.test.ts';
const time = 'test/domain/time.test.ts';

/** Storage and time. */
export const storage: readonly FaultCase[] = [
  proven(
    'F1',
    'Two processes write.',
    'Write transactions begin immediately, and wait; held for too long, they are refused and nothing has left.',
    [writer, 'begins at once for writing'],
    ['test/store/sqlite/processes.test.ts', 'write at the same time without one refusal'],
    [
      'test/slow/stop-under-load.test.ts',
      'for too long: it is refused, nothing has left, and later it goes through',
    ],
  ),
  proven(
    'F2',
    'The disk is full.',
    'No paid request leaves; not ready; recovers by itself.',
    [full, 'lets no paid request leave, answers no webhook 2xx, and is told by readyz'],
    [full, 'is recovered from without a restart: the very same requests go through, once'],
  ),
  proven(
    'F3',
    'The disk is full exactly when a charge has happened.',
    'Tried again until it is kept; nothing is charged again.',
    [
      full,
      'exactly when a charge has happened: its outcome is written down as soon as there is room, and nothing is charged again',
    ],
  ),
  proven(
    'F4',
    'A long reader lets the log grow.',
    'Cut back to a limit afterwards; no connection of ours reads for long.',
    [
      'test/store/sqlite/long-reader.test.ts',
      'a reader that will not end lets the log grow; it is cut back to its limit once that has ended',
    ],
  ),
  proven(
    'F5',
    'A migration killed half way; two starters; a newer database.',
    'All steps or none; one runs them; a newer one is refused.',
    [migrations, 'leave nothing behind when the process is killed half way, and run at the next start'],
    [migrations, 'refuse a database that is newer than the program, and leave it alone'],
    ['test/store/sqlite/processes.test.ts', 'have migrated the new file once, though they started together'],
  ),
  proven(
    'F6',
    'The host’s time zone changes, or its clock goes back.',
    'Instants are kept as milliseconds and written with Z; leases and waits stay sane.',
    [time, 'finds the same instant whatever the offset it is told with'],
    ['test/conformance/attempts-take.ts', 'stays sane when the clock steps back'],
  ),
  proven(
    'F7',
    'expires_at far ahead, past, with an odd offset or none.',
    'RFC 3339 with an offset, else refused; long waits do not fire at once.',
    [time, 'refuses %s'],
    ['test/server/adapters.test.ts', 'keeps a wait longer than a timer of Node can be'],
  ),
  proven(
    'F8',
    'A backup while it runs.',
    'A consistent copy; restored and replayed, nothing is charged twice.',
    [
      'test/crash/power-cuts.ts',
      'a backup that was taken in mid-send is replayed, and charges nothing twice',
    ],
    [
      'test/store/sqlite/backup.test.ts',
      'is a copy of a database in use, served from only once it was accepted, and knows the jobs before it',
    ],
  ),
  proven(
    'F9',
    'Yesterday’s copy is put back.',
    'Not served from before somebody has accepted it, whether `backup` made it or plain copies of the files.',
    [
      'test/store/sqlite/backup.test.ts',
      'is a copy of a database in use, served from only once it was accepted, and knows the jobs before it',
    ],
    [
      'test/store/sqlite/backup.test.ts',
      'is noticed, served from only once it was accepted, and charges nothing again that it knows',
    ],
  ),
  proven(
    'F10',
    'PostgreSQL goes away within a commit.',
    'Unknown: read again before anything is decided.',
    [
      'test/store/postgres/lost-commit.test.ts',
      'prepares an attempt once, and leaves it to the asker who prepared it',
    ],
    ['test/store/postgres/lost-commit.test.ts', 'settles an answer once, and tells what it came to'],
  ),
];
