import { defineConfig } from 'vitest/config';

// The domain's own tests alone, for mutants of it: what else would notice a mutant would take a hundred times as long.
export default defineConfig({
  test: { include: ['test/domain/**/*.test.ts'], testTimeout: 15_000 },
});
