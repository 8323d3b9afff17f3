/// <reference types="vite/types/importMeta.d.ts" />

import { describe, expect, it } from 'vitest';

const modules = import.meta.glob('../../src/domain/**/*.ts');

// What a module throws while it loads fails its tests' files before they have a test, which Stryker takes for no failure.
describe('each module of the domain', () => {
  it.each(Object.entries(modules))('%s loads', async (_, load) => {
    await expect(load()).resolves.toBeDefined();
  });
});
