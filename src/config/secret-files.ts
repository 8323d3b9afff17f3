import type { ConfigProblem } from './problem.ts';
import { configReference, type SettingName } from './settings.ts';

/** The settings as text, trimmed; what is blank is not there. */
export type SettingTexts = { readonly [Name in SettingName]?: string };

export type GatheredTexts = {
  readonly texts: SettingTexts;
  /** The names that were given, also where their file could not be read. */
  readonly given: ReadonlySet<SettingName>;
  readonly problems: readonly ConfigProblem[];
};

/**
 * Takes the settings out of an environment: blank is not set, and a secret may stand in the file that NAME_FILE names.
 * No path is ever quoted: a secret put into NAME_FILE by mistake is a secret still.
 */
export function gatherTexts(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): GatheredTexts {
  const texts: { [Name in SettingName]?: string } = {};
  const given = new Set<SettingName>();
  const problems: ConfigProblem[] = [];
  for (const { name, secret } of configReference) {
    const direct = env[name]?.trim() ?? '';
    const path = secret ? (env[`${name}_FILE`]?.trim() ?? '') : '';
    if (direct === '' && path === '') continue;
    given.add(name);
    if (direct !== '' && path !== '') {
      problems.push({ name, wrong: `is set, and so is ${name}_FILE`, remedy: 'Keep one of the two.' });
      continue;
    }
    const read = path === '' ? { text: direct } : readSecret(path, readFile);
    if ('text' in read) texts[name] = read.text;
    else {
      const remedy = 'Name a file that this process can read and that holds the value alone.';
      problems.push({ name: `${name}_FILE`, wrong: read.wrong, remedy });
    }
  }
  return { texts, given, problems };
}

function readSecret(path: string, readFile: (path: string) => string): { text: string } | { wrong: string } {
  try {
    const text = readFile(path).trim();
    return text === '' ? { wrong: 'names an empty file' } : { text };
  } catch (error) {
    return { wrong: `names a file that cannot be read${errorCode(error)}` };
  }
}

/** The system's own code for a failed read (` (ENOENT)`), never its message: that quotes the path. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? ` (${error.code})`
    : '';
}
