/** What stands below the options of a command's help: examples that can be copied, and what an exit code means. */
export const HELP = {
  program: `
Examples:
  $ switchboard                          everything simulated; prints the address of GraphiQL and a ready key
  $ switchboard doctor                   is this set up right?
  $ switchboard keys create --caller shop --scopes BUYER --budget 500000
  $ switchboard schema > schema.graphql

Settings come from the environment, or from .env in the directory it is started in: see .env.example and
docs/configuration.md. They are checked as a whole, and every mistake is named in one go.

Exit codes: 0 done, 1 failed (why is said on stderr), 2 used wrongly.`,
  serve: `
With neither SMSCODE_API_TOKEN nor SUPPLIER_API_KEY set, both upstreams run simulated inside and nothing costs
anything. As soon as one is set, everything is live; the side without its secret is off.

Examples:
  $ switchboard serve
  $ PORT=8080 DATABASE_URL=file:/var/lib/switchboard/switchboard.db switchboard serve
  $ NODE_ENV=production SMSCODE_API_TOKEN_FILE=/run/secrets/smscode switchboard serve

SIGTERM and SIGINT end it in order within ten seconds; a second one ends it at once.

Exit codes: 0 stopped in order, 1 could not start or stop, 2 used wrongly.`,
  sandbox: `
Speaks SMSCode v1 and the supplier API v2 as the real ones do, for clients of theirs. Each start is a new world.

Examples:
  $ switchboard sandbox
  $ SANDBOX_PORT=4020 switchboard sandbox
  $ curl 127.0.0.1:4010/_sandbox/supplier-orders -d '{"quantity": 3}'     a buyer orders three pieces`,
  keys: `
A key speaks for a caller: orders and budget belong to the caller, whichever of its keys made them. Keys are stored
as hashes; DATABASE_URL says in which database.`,
  createKey: `
Scopes:
  BUYER      order numbers and read their messages: the caller's own alone
  SUPPLIER   work on the account's supplier orders
  OPERATOR   both, every caller's, and the reviews

The budget is the caller's, over all of its keys: naming another one changes it, naming none leaves it.

Examples:
  $ switchboard keys create --caller shop --scopes BUYER --budget 500000
  $ switchboard keys create --caller ops --scopes OPERATOR --expires-in-days 90
  $ KEY=$(switchboard keys create --caller desk --scopes SUPPLIER)`,
  listKeys: `
A line a key, parts two blanks apart: id, caller, scopes, expiry, last use, state. The key itself is never shown
again; the sandbox's ready key is a file beside the database, and is not listed.`,
  revokeKey: `
In force within five seconds in every instance: requests get UNAUTHENTICATED, open sockets close with 4403.

Example:
  $ switchboard keys list
  $ switchboard keys revoke key_3v1mQ0sYb2Hx8Kpa`,
  migrate: `
A start does the same by itself. Alone it is useful before a roll-out: all missing steps are done, or none, and a
database that is newer than this program is refused.`,
  migrateStore: `
Stop the gateway first. Rows are copied by parts and compared in the end; one that is cut off goes on where it was when
it is run again. Until it is done no gateway starts on PostgreSQL, and afterwards none on the file. Prints the rows
and the checksum of each table.

Example:
  $ DATABASE_URL=postgres://switchboard@db/switchboard ENCRYPTION_KEY=$(cat data/encryption.key) \\
      switchboard migrate-store data/switchboard.db

Exit codes: 0 copied and alike, 1 not (why is said on stderr), 2 used wrongly.`,
  backup: `
A consistent copy of a SQLite database in use. It is marked as a copy: a gateway refuses to serve from it until
accept-backup. Keep encryption.key (or ENCRYPTION_KEY) with it: without it what is sealed cannot be read.

Example:
  $ switchboard backup /backups/switchboard-2026-03-16.db`,
  acceptBackup: `
A restored backup knows nothing of the jobs ordered after it was made: asked for again, they would be charged again.
Look at the account's orders since then first (orders made elsewhere are shown to operators), and tell the callers.

Example, after putting the copy in the place of the database:
  $ switchboard accept-backup && switchboard serve`,
  reseal: `
While gateways serve, all of them started anew with the new key in front: ENCRYPTION_KEY=new,old. What no key has sealed
so far, as on PostgreSQL without ENCRYPTION_KEY, is sealed as well. Cut off, it goes on when it is run again.

Example:
  $ ENCRYPTION_KEY=new,old switchboard reseal

Exit codes: 0 everything is sealed with the newest key, 1 something is left (why is said on stderr), 2 used wrongly.`,
  doctor: `
Reads the configuration and the files it names, tries the address and Redis, opens the database and makes one harmless
read of each upstream and of its webhook settings.

Exit codes: 0 nothing is wrong (notes are no fault), 1 something is.`,
  schema: `
Example:
  $ switchboard schema > schema.graphql`,
} as const;
