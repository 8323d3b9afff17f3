import { openDeps } from '../app/open-deps.ts';
import { problemLine } from '../config/problem.ts';
import { type Config, loadConfig } from '../config.ts';
import { createJsonLog } from '../server/json-log.ts';
import { createPrometheus } from '../server/prometheus.ts';
import { systemClock } from '../system-clock.ts';
import { systemRandom } from '../system-random.ts';
import { examineKeys } from './examine-keys.ts';
import { examineSurroundings } from './examine-surroundings.ts';
import { examineUpstreams } from './examine-upstreams.ts';
import { type Finding, note, ok, wrong } from './finding.ts';
import { paint, print } from './output.ts';

const MARKS = {
  ok: { colour: 'green', mark: 'ok   ' },
  note: { colour: 'yellow', mark: 'note ' },
  wrong: { colour: 'red', mark: 'WRONG' },
} as const;

/** `switchboard doctor`: looks at configuration, database and each upstream (one read), and says in words what is wrong. */
export async function examine(): Promise<boolean> {
  const parsed = loadConfig('serve');
  const findings: Finding[] = parsed.warnings.map((warning) => note('configuration', problemLine(warning)));
  if (parsed.kind === 'invalid') {
    findings.push(...parsed.problems.map((problem) => wrong('configuration', problemLine(problem))));
  } else {
    const { config } = parsed;
    findings.push(ok('configuration', `${config.mode} mode`), ...(await examineSurroundings(config)));
    findings.push(...(await examineParts(config)));
  }
  for (const { what, state, words } of findings) {
    const { colour, mark } = MARKS[state];
    print(`${paint(colour, mark)}  ${what}: ${words}`);
  }
  return findings.every(({ state }) => state !== 'wrong');
}

async function examineParts(config: Config): Promise<readonly Finding[]> {
  const silent = createJsonLog('silent', process.stdout);
  const { metrics } = createPrometheus();
  const opened = await openDeps(config, {
    clock: systemClock,
    random: systemRandom,
    log: silent,
    metrics,
  }).catch((error: unknown) => wrong('database', `cannot be opened: ${messageOf(error)}`));
  if ('state' in opened) return [opened];
  try {
    const { store } = opened.deps;
    const database = await store.check().then(
      () => ok('database', 'open, migrated and writable'),
      (error: unknown) => wrong('database', `cannot be written to: ${messageOf(error)}`),
    );
    const keys = config.mode === 'live' ? examineKeys(await store.keys.list(), systemClock.now()) : [];
    return [database, ...keys, ...(await examineUpstreams(config, opened.deps))];
  } finally {
    await opened.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'for an unknown reason';
}
