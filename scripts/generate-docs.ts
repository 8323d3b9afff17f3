// Writes what documents take from the code: docs/errors.md, docs/reference/graph.md, the files that pages show, and the
// types of the examples. With --check it writes nothing and fails where one of them has drifted.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedTexts } from './docs/generated-texts.ts';
import { graphTypes } from './docs/graph-types.ts';

const project = join(import.meta.dirname, '..');
const texts = [...generatedTexts(project), graphTypes(project)];
const drifted = texts.filter(({ text, now }) => text !== now);

if (process.argv.includes('--check')) {
  for (const { path } of drifted) console.error(`${path} is not what the code says. Run: npm run docs`);
  process.exitCode = drifted.length === 0 ? 0 : 1;
} else {
  for (const { path, text } of drifted) {
    writeFileSync(join(project, path), text);
    console.log(path);
  }
}
