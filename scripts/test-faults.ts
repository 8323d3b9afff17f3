import { spawnSync } from 'node:child_process';
import { allCases } from '../test/faults/cases/all.ts';
import { runOf } from './faults/faults.ts';

// The tests that prove the list of faults, and no others. Cases named on the command line (B7 F2) are run alone.
const asked = process.argv.slice(2);
const chosen = allCases.filter(({ id }) => asked.length === 0 || asked.includes(id));
const { files, pattern } = runOf(chosen);
const projects = ['fast', 'postgres', 'slow', 'browser'].flatMap((name) => ['--project', name]);
const run = spawnSync('npx', ['vitest', 'run', ...projects, ...files, '-t', pattern], { stdio: 'inherit' });
process.exit(run.status ?? 1);
