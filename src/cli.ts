#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { explain } from './cli/explain.ts';
import { HELP } from './cli/help.ts';
import { printError } from './cli/output.ts';
import { readBudget, readCaller, readDays, readScopes } from './cli/read-options.ts';
import type { Scope } from './domain/access.ts';
import type { CallerName } from './domain/ids.ts';
import type { Rupiah } from './domain/money.ts';

// Each command loads what it needs when it is asked for: help, and a slip of the keyboard, need not wait for a graph.

const FAILED = 1;
const USED_WRONGLY = 2;

interface CreateKeyOptions {
  readonly caller: CallerName;
  readonly scopes: readonly Scope[];
  readonly budget?: Rupiah;
  readonly expiresInDays?: number;
}

function program(): Command {
  const switchboard = new Command('switchboard')
    .description('A typed GraphQL gateway in front of a provider of virtual numbers and a supplier API.')
    .version(version(), '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .showHelpAfterError('Try: switchboard --help')
    .addHelpText('after', HELP.program)
    .exitOverride();

  switchboard
    .command('serve', { isDefault: true })
    .description('serve the gateway (the default); everything simulated until an upstream secret is set')
    .addHelpText('after', HELP.serve)
    // The default command is handed whatever is no command: a mistyped name must not start a server, nor be called an argument.
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      const [unknown] = command.args;
      if (unknown !== undefined) command.error(`error: there is no command '${unknown}'`);
      const { serve } = await import('./cli/serve.ts');
      return serve();
    });
  switchboard
    .command('sandbox')
    .description('serve the two simulated upstreams alone, on SANDBOX_PORT')
    .addHelpText('after', HELP.sandbox)
    .action(async () => (await import('./cli/simulate.ts')).simulate());

  const keys = switchboard
    .command('keys')
    .description('make, list and revoke gateway keys')
    .addHelpText('after', HELP.keys);
  keys
    .command('create')
    .description('make a key and print it, this once, and nothing else')
    .addHelpText('after', HELP.createKey)
    .requiredOption('--caller <name>', 'who the key speaks for', argument(readCaller))
    .requiredOption(
      '--scopes <scopes>',
      'what it may do: BUYER, SUPPLIER, OPERATOR, comma-separated',
      argument(readScopes),
    )
    .option(
      '--budget <idr>',
      'what the caller may spend in all, in whole rupiah; left out: as it is',
      argument(readBudget),
    )
    .option('--expires-in-days <n>', 'when the key ends by itself; left out: never', argument(readDays))
    .action(async ({ caller, scopes, budget, expiresInDays }: CreateKeyOptions) => {
      const { createKey } = await import('./cli/keys.ts');
      await createKey({ caller, scopes, budget: budget ?? null, expiresInDays: expiresInDays ?? null });
    });
  keys
    .command('list')
    .description('a line a key: id, caller, scopes, expiry, last use, state')
    .addHelpText('after', HELP.listKeys)
    .action(async () => (await import('./cli/keys.ts')).listKeys());
  keys
    .command('revoke <id>')
    .description('end a key, open streams included, within five seconds')
    .addHelpText('after', HELP.revokeKey)
    .action(async (id: string) => (await import('./cli/keys.ts')).revokeKey(id));

  switchboard
    .command('migrate')
    .description('make the database or bring its schema up to date')
    .addHelpText('after', HELP.migrate)
    .action(async () => (await import('./cli/migrate.ts')).migrateDatabase());
  switchboard
    .command('migrate-store <file>')
    .description('copy a SQLite database to the PostgreSQL one that DATABASE_URL names')
    .addHelpText('after', HELP.migrateStore)
    .action(async (file: string) => (await import('./cli/migrate-store.ts')).migrateStore(file));
  switchboard
    .command('backup <file>')
    .description('copy the SQLite database while the gateway serves')
    .addHelpText('after', HELP.backup)
    .action(async (file: string) => (await import('./cli/backup.ts')).makeBackup(file));
  switchboard
    .command('accept-backup')
    .description('serve from a restored backup, once its gap was looked into')
    .addHelpText('after', HELP.acceptBackup)
    .action(async () => (await import('./cli/backup.ts')).takeBackup());
  switchboard
    .command('reseal')
    .description('seal with the newest ENCRYPTION_KEY what an older one, or none, has sealed')
    .addHelpText('after', HELP.reseal)
    .action(async () => {
      const { reseal } = await import('./cli/reseal.ts');
      if (!(await reseal())) process.exitCode = FAILED;
    });
  switchboard
    .command('doctor')
    .description('check configuration, database and upstreams, and say in words what is wrong')
    .addHelpText('after', HELP.doctor)
    .action(async () => {
      const { examine } = await import('./cli/doctor.ts');
      if (!(await examine())) process.exitCode = FAILED;
    });
  switchboard
    .command('schema')
    .description('print the graph in SDL')
    .addHelpText('after', HELP.schema)
    .action(async () => {
      const { printGraph } = await import('./resolvers/print.ts');
      process.stdout.write(printGraph());
    });
  return switchboard;
}

/** Turns a reader that throws RangeError into one whose message commander shows. */
function argument<Value>(read: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      throw error instanceof RangeError ? new InvalidArgumentError(`It ${error.message}.`) : error;
    }
  };
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const parsed: unknown = JSON.parse(text);
  const isNamed = typeof parsed === 'object' && parsed !== null && 'version' in parsed;
  return isNamed && typeof parsed.version === 'string' ? parsed.version : 'unknown';
}

try {
  await program().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USED_WRONGLY;
  else {
    printError(explain(error, 0));
    process.exitCode = FAILED;
  }
}
