import type { ConfigProblem } from './problem.ts';
import type { GatheredTexts, SettingTexts } from './secret-files.ts';
import { configReference, type SettingName } from './settings.ts';
import { meantName } from './typo.ts';

/** Whether the settings lead to the sandbox: neither upstream has its secret, and this is not production. */
export function isSandbox({ texts, given }: Pick<GatheredTexts, 'texts' | 'given'>): boolean {
  return !isLive(given) && !isProduction(texts);
}

export function isProduction(texts: SettingTexts): boolean {
  return texts.NODE_ENV === 'production';
}

/**
 * What no setting shows alone. Works on the texts, so that these problems are named beside those of single values
 * and not only once those are mended.
 */
export function crossProblems(gathered: GatheredTexts, need: 'serve' | 'store'): ConfigProblem[] {
  const { texts, given } = gathered;
  const problems: ConfigProblem[] = [];
  if (need === 'serve' && isProduction(texts) && !isLive(given)) {
    problems.push({
      name: 'NODE_ENV',
      wrong:
        'is production, but neither SMSCODE_API_TOKEN nor SUPPLIER_API_KEY is set: the sandbox never runs in production unasked',
      remedy: 'Set one or both, or leave NODE_ENV out to try the sandbox.',
    });
  }
  const port = texts.PORT ?? '4000';
  if (isSandbox(gathered) && port !== '0' && port === (texts.SANDBOX_PORT ?? '4010')) {
    problems.push({ name: 'SANDBOX_PORT', wrong: 'is PORT too', remedy: 'Give each a port of its own.' });
  }
  return problems;
}

/** What will run, but perhaps not as it was meant. */
export function findWarnings(
  env: Readonly<Record<string, string | undefined>>,
  gathered: GatheredTexts,
): ConfigProblem[] {
  return [...unusedSettings(gathered), ...doubtfulSettings(gathered), ...unknownNames(env)];
}

function unusedSettings({ texts, given }: GatheredTexts): ConfigProblem[] {
  const unusedWithout = (needed: SettingName, names: readonly SettingName[]): ConfigProblem[] =>
    given.has(needed)
      ? []
      : names
          .filter((name) => given.has(name))
          .map((name) => ({ name, wrong: `does nothing without ${needed}`, remedy: `Set ${needed} too.` }));
  const warnings = [
    ...unusedWithout('SMSCODE_API_TOKEN', ['SMSCODE_BASE_URL', 'SMSCODE_WEBHOOK_SECRET']),
    ...unusedWithout('SUPPLIER_API_KEY', ['SUPPLIER_BASE_URL']),
    ...unusedWithout('ALERT_WEBHOOK_URL', ['ALERT_WEBHOOK_SECRET']),
  ];
  const sqlite = texts.DATABASE_URL?.startsWith('file:') ?? !given.has('DATABASE_URL');
  if (given.has('REDIS_URL') && sqlite) {
    const remedy = 'Set DATABASE_URL to a PostgreSQL database, or leave REDIS_URL out.';
    warnings.push({ name: 'REDIS_URL', wrong: 'does nothing with SQLite, which has one instance', remedy });
  }
  return warnings;
}

function doubtfulSettings({ texts, given }: GatheredTexts): ConfigProblem[] {
  const warnings: ConfigProblem[] = [];
  const polls = Number(texts.POLL_INTERVAL_SECONDS ?? 10) !== 0;
  if (given.has('SMSCODE_API_TOKEN') && !given.has('SMSCODE_WEBHOOK_SECRET') && !polls) {
    warnings.push({
      name: 'POLL_INTERVAL_SECONDS',
      wrong: 'is 0 and no SMSCODE_WEBHOOK_SECRET is set: no message will ever arrive',
      remedy: 'Set the secret, or poll.',
    });
  }
  if (Number(texts.BALANCE_CHECK_SECONDS) > 3600) {
    warnings.push({
      name: 'BALANCE_CHECK_SECONDS',
      wrong: 'is more than an hour, and the provider asks for a look every hour at least',
      remedy: 'Give 3600 or less.',
    });
  }
  if (/^postgres(ql)?:/.test(texts.DATABASE_URL ?? '') && !given.has('ENCRYPTION_KEY')) {
    warnings.push({
      name: 'ENCRYPTION_KEY',
      wrong: 'is not set: messages, codes, numbers and lines are kept unencrypted in PostgreSQL',
      remedy: 'Give every instance the same key: openssl rand -base64 32.',
    });
  }
  if (given.has('WEBHOOK_ALLOWED_IPS') && !given.has('TRUST_PROXY')) {
    warnings.push({
      name: 'WEBHOOK_ALLOWED_IPS',
      wrong: 'judges by the address that connects, and behind a proxy that is the proxy’s',
      remedy: 'Set TRUST_PROXY where one stands in front: else every webhook is refused.',
    });
  }
  const nodeEnv = texts.NODE_ENV ?? 'development';
  if (!['production', 'development', 'test'].includes(nodeEnv)) {
    warnings.push({
      name: 'NODE_ENV',
      wrong: 'is none of production, development and test, and counts as development',
      remedy: 'Write production in lower case where production is meant.',
    });
  }
  return warnings;
}

function unknownNames(env: Readonly<Record<string, string | undefined>>): ConfigProblem[] {
  const known: string[] = configReference.flatMap(({ name, secret }) =>
    secret ? [name, `${name}_FILE`] : [name],
  );
  return Object.keys(env)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = meantName(name, known);
      if (meant !== undefined) {
        return [{ name, wrong: 'is no setting', remedy: `Did you mean ${meant}?` }];
      }
      // No other program's variables begin so: a token under a wrong name would quietly start the sandbox.
      return /^(SMSCODE|SUPPLIER)_/.test(name)
        ? [{ name, wrong: 'is no setting', remedy: 'See docs/configuration.md for the names.' }]
        : [];
    });
}

function isLive(given: ReadonlySet<SettingName>): boolean {
  return given.has('SMSCODE_API_TOKEN') || given.has('SUPPLIER_API_KEY');
}
