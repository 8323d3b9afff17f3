import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../scripts/docs/generated-texts.ts';
import { type Block, blocksOf } from './support/blocks.ts';
import { createPageRunner, type PageRunner, project } from './support/page-runner.ts';
import { openScene, type Scene } from './support/scene.ts';

/** Quick, so that a page takes a second: a reader's sandbox waits as life does. */
const QUICK = { number_delay_seconds: 0, sms_delay_seconds: 0.1, rate_per_minute: null };

const runnable = pages(project)
  .filter((path) => path.startsWith('docs/'))
  .map((path) => ({ path, blocks: blocksOf(readFileSync(join(project, path), 'utf8')) }))
  .filter(({ blocks }) => blocks.some(isRun));

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(QUICK);
});
afterAll(() => scene.close());

describe.each(runnable)('$path, worked through from top to bottom', ({ blocks }) => {
  let runner: PageRunner;
  beforeAll(() => {
    runner = createPageRunner(scene.gateway, scene.cwd);
  });

  for (const [index, block] of blocks.entries()) {
    if (isRun(block)) {
      const next = blocks[index + 1];
      const variables = next?.mark?.kind === 'variables' ? next : null;
      const prints = block.mark?.kind === 'run' ? (block.mark.prints ?? block.mark.until) : null;
      it(`line ${block.line}: ${block.text.split('\n', 1)[0]}`, async () => {
        const output = await runner.run(block, variables);
        if (prints !== null) expect(output).toContain(prints);
      }, 60_000);
    }
  }
});

function isRun({ mark }: Block): boolean {
  return mark?.kind === 'run' || mark?.kind === 'setup';
}
