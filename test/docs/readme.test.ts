import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { banner } from '../../src/cli/banner.ts';
import { parseConfig } from '../../src/config.ts';
import { blocksOf } from './support/blocks.ts';
import { createPageRunner, type PageRunner, project } from './support/page-runner.ts';
import { openScene, type Scene } from './support/scene.ts';

const blocks = blocksOf(readFileSync(join(project, 'README.md'), 'utf8'));

describe('the README, worked through from top to bottom by a newcomer', () => {
  let scene: Scene;
  let runner: PageRunner;
  beforeAll(async () => {
    // As a fresh sandbox is: its first order is always the same one.
    scene = await openScene({ number_delay_seconds: 'auto', sms_delay_seconds: 'auto' });
    runner = createPageRunner(scene.gateway, scene.cwd);
  });
  afterAll(() => scene.close());

  for (const block of blocks) {
    if (block.mark?.kind === 'setup' || block.mark?.kind === 'run') {
      const { prints, until } = block.mark.kind === 'run' ? block.mark : { prints: null, until: null };
      it(`line ${block.line}: ${block.text.split('\n', 1)[0]}`, async () => {
        const output = await runner.run(block, null);
        if (prints !== null) expect(output).toContain(prints);
        if (until !== null) expect(output).toContain(until);
      }, 60_000);
    }
  }

  it('shows what a start prints', () => {
    const parsed = parseConfig({});
    if (parsed.kind === 'invalid') throw new Error('nothing set must be a configuration');
    const sandbox = { url: 'http://127.0.0.1:4010', key: 'sb_…' };
    const app = { url: 'http://127.0.0.1:4000', port: 4000, sandbox, close: () => Promise.resolve() };
    const shown = blocks.find(({ language }) => language === 'text')?.text;
    expect(shown?.trim()).toBe(banner(app, parsed.config).join('\n').trim());
  });

  it('has ordered once, and charged once', async () => {
    const ledger = await scene.gateway.control('ledger');
    expect(ledger).toMatchObject({ charges: [{ amount: 6_650 }] });
  });

  it('shows the first query, order and subscription', () => {
    const run = blocks.filter(({ mark }) => mark?.kind === 'run').map(({ text }) => text);
    for (const wanted of ['catalogProducts', 'createOrder', 'smsReceived']) {
      expect(run.some((text) => text.includes(wanted))).toBe(true);
    }
  });
});
