import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codesInSources, errorCodes } from '../../scripts/docs/error-codes.ts';
import { generatedTexts, pages } from '../../scripts/docs/generated-texts.ts';
import { graphTypes } from '../../scripts/docs/graph-types.ts';
import { anchorOf } from '../../scripts/docs/markdown.ts';
import { alertKinds } from '../../src/domain/alert.ts';
import { attemptStates } from '../../src/domain/orders/attempt.ts';
import { createPrometheus } from '../../src/server/prometheus.ts';
import { blocksOf } from './support/blocks.ts';
import { project } from './support/page-runner.ts';

const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const written = pages(project);
const everyPage = [
  ...written,
  'docs/errors.md',
  'docs/configuration.md',
  'docs/reference/graph.md',
  'examples/README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(project, 'docs/adr')).map((name) => `docs/adr/${name}`),
];

describe('what documents take from the code', () => {
  it.each(generatedTexts(project))('$path is what the code says', ({ text, now }) => {
    // Repair: npm run docs
    expect(now).toBe(text);
  });

  it('the types of the examples are those of schema.graphql', () => {
    const { text, now } = graphTypes(project);
    expect(now).toBe(text);
  }, 60_000);

  it('lists every error code that the sources name, and none besides', () => {
    expect(Object.keys(errorCodes).sort()).toEqual([...codesInSources(project)].sort());
  });

  it('lists no code that callers were not promised', () => {
    // Those of the contract: clients switch over them, and another would be a breaking change.
    expect(Object.keys(errorCodes).sort()).toEqual([
      'BAD_USER_INPUT',
      'FORBIDDEN',
      'INTERNAL_SERVER_ERROR',
      'NOT_FOUND',
      'QUERY_TOO_COMPLEX',
      'RATE_LIMITED',
      'UNAUTHENTICATED',
      'UPSTREAM_MALFORMED',
      'UPSTREAM_NOT_CONFIGURED',
      'UPSTREAM_UNAUTHORIZED',
      'UPSTREAM_UNAVAILABLE',
    ]);
  });

  it('draws every state of an attempt', () => {
    const [diagram = ''] = blocksOf(read('docs/concepts.md')).map(({ text }) => text);
    for (const state of attemptStates) expect(diagram).toContain(state);
  });

  it('tells of every kind of alert', () => {
    for (const kind of alertKinds) expect(read('docs/operators.md')).toContain(`| ${kind} |`);
  });

  it('names metrics that are there', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('not asked here'));
    const scraped = await createPrometheus().expose({
      attempts: { page: away, oldestOpenAt: away },
      inbox: { stats: away },
    } as never);
    const named = read('docs/operators.md').match(/switchboard_[a-z_]+/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(scraped).toContain(`# HELP ${name} `);
  });
});

describe.each(written)('%s', (path) => {
  const blocks = blocksOf(read(path));

  it('has each code block run, taken from a tested file, or excused', () => {
    const unmarked = blocks
      .filter(({ language, mark }) => mark === null && !['text', 'mermaid', 'json'].includes(language))
      .map(({ line }) => line);
    expect(unmarked).toEqual([]);
  });

  it('has variables behind a GraphQL block alone', () => {
    for (const [index, { mark }] of blocks.entries()) {
      if (mark?.kind === 'variables') expect(blocks[index - 1]?.language).toBe('graphql');
    }
  });
});

describe.each(['README.hi.md', 'README.bn.md'])('%s', (path) => {
  it('has the blocks of README.md, word for word, and its links', () => {
    const blockParts = (page: string) =>
      blocksOf(page).map(({ language, text, mark }) => [language, text, mark]);
    expect(blockParts(read(path))).toEqual(blockParts(read('README.md')));
    const targets = (page: string) =>
      linksOf(page)
        .filter((link) => !link.startsWith('README'))
        .sort();
    expect(targets(read(path))).toEqual(targets(read('README.md')));
  });
});

describe('CONTRIBUTING.md', () => {
  it('names files that are there', () => {
    const named = [
      ...read('CONTRIBUTING.md').matchAll(/`((?:src|test|scripts|docs|console|bench)\/[\w./-]+)`/g),
    ];
    expect(named.length).toBeGreaterThan(20);
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join(project, path)))).toEqual([]);
  });

  it('has every room of src/ and test/ on its map', () => {
    const map = blocksOf(read('CONTRIBUTING.md'))[0]?.text ?? '';
    const rooms = ['src', 'test'].flatMap((root) =>
      readdirSync(join(project, root), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${name}/`),
    );
    expect(rooms.filter((room) => !map.includes(room) && !['samples/', 'corpus/'].includes(room))).toEqual(
      [],
    );
  });
});

describe('links', () => {
  it.each(everyPage)('of %s lead somewhere', (path) => {
    const dead = linksOf(read(path))
      .filter((link) => !/^(https?:|mailto:)/.test(link))
      .filter((link) => !leadsSomewhere(path, link));
    expect(dead).toEqual([]);
  });
});

function linksOf(page: string): string[] {
  const prose = page.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

function leadsSomewhere(path: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? path : join(dirname(path), file);
  if (!existsSync(join(project, target))) return false;
  if (anchor === undefined || !target.endsWith('.md')) return true;
  const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  return headings.includes(anchor);
}
