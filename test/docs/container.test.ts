import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';

// No container is built here: what can be held against the sources is.

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const serviceSchema = z.object({
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.object({ condition: z.string() }))])
    .default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
const compose = z
  .object({
    services: z.record(z.string(), serviceSchema),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
    volumes: z.record(z.string(), z.unknown()),
  })
  .parse(parse(read('compose.yaml')));
const services = Object.entries(compose.services);
const gatewayService = compose.services['switchboard'];
const example = read('.env.example');
/** Settings, and of those that are secrets also the variable that names a file. */
const names = new Set([
  ...[...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name),
  ...[...example.matchAll(/Or ([A-Z_]+_FILE): /g)].map(([, name]) => name),
]);

describe('compose.yaml', () => {
  test('sets what is a setting, and secrets by files alone', () => {
    const set = Object.keys(gatewayService?.environment ?? {});
    expect(set.length).toBeGreaterThan(4);
    expect(set.filter((name) => !names.has(name))).toEqual([]);
    for (const name of set)
      expect(names.has(`${name}_FILE`) && !['REDIS_URL'].includes(name), name).toBe(false);
  });

  test.each(services)('%s: names what is defined', (_, { environment, secrets, volumes, depends_on }) => {
    expect(secrets.filter((secret) => compose.secrets[secret] === undefined)).toEqual([]);
    const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
    expect(files.map(([, path]) => path.replace('/run/secrets/', '')).sort()).toEqual([...secrets].sort());
    for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    const needed = Array.isArray(depends_on)
      ? depends_on.map((name) => [name, null] as const)
      : Object.entries(depends_on);
    for (const [name, how] of needed) {
      expect(compose.services[name]).toBeDefined();
      if (how?.condition === 'service_healthy') expect(compose.services[name]?.healthcheck).toBeDefined();
    }
  });

  test('keeps secrets out of git and of images', () => {
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^secrets\//);
    expect(read('.gitignore').split('\n')).toContain('secrets/');
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['secrets', '.env', 'data', '.git']),
    );
  });
});

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const ignored = read('.dockerignore').split('\n');

  test('copies what is there and not ignored, and sets what is a setting', () => {
    for (const [, sources = ''] of dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm))
      for (const source of sources.split(' ')) {
        expect(existsSync(new URL(source, root)), source).toBe(true);
        expect(ignored).not.toContain(source);
      }
    const set = [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((pair) => pair.split('=')[0]),
    );
    expect(set.filter((name) => !names.has(name))).toEqual([]);
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  const health = /node", "-e", "(.+)"\]$/m.exec(dockerfile)?.[1] ?? '';
  const checked = (port: string): Promise<number | null> =>
    new Promise((resolve) => {
      spawn(process.execPath, ['-e', health], { env: { PORT: port } }).once('close', resolve);
    });
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.close());

  test('finds a gateway healthy that is ready, and no other', async () => {
    expect(health).not.toBe('');
    expect(await checked(new URL(gateway.url).port)).toBe(0);
    expect(await checked('9')).toBe(1);
    await gateway.breakStore();
    await expect.poll(() => checked(new URL(gateway.url).port), { timeout: 10_000 }).toBe(1);
  });
});
