// Runs the layer rules of .dependency-cruiser.mjs over src/, or over DIRECTORY/src where one is named, and asserts that
// every file there was really seen: dependency-cruiser cannot read TypeScript 7, and then reports no modules and passes.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const project = resolve(import.meta.dirname, '..');
const directory = resolve(process.argv[2] ?? project);

const options = await extractDepcruiseOptions(resolve(project, '.dependency-cruiser.mjs'));
const tsConfig = extractTsConfig(resolve(project, 'tsconfig.json'));
const { output } = await cruise(['src'], { ...options, baseDir: directory }, undefined, { tsConfig });
if (typeof output === 'string') throw new Error('The reporter answered a text where a result was asked for.');

for (const { rule, from, to } of output.summary.violations) {
  const comment =
    output.summary.ruleSetUsed?.forbidden?.find(({ name }) => name === rule.name)?.comment ?? '';
  console.error(`${rule.name}: ${from} -> ${to}\n  ${comment}`);
}
const onDisk = readdirSync(resolve(directory, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => `src/${path}`);
const seen = new Set(output.modules.map(({ source }) => source));
const unseen = onDisk.filter((path) => !seen.has(path));
for (const path of unseen) console.error(`not seen: ${path}`);

const sound = onDisk.length > 0 && unseen.length === 0 && output.summary.violations.length === 0;
console.log(
  `${onDisk.length} files, ${output.summary.totalDependenciesCruised} imports, ${output.summary.violations.length} violations`,
);
process.exitCode = sound ? 0 : 1;
