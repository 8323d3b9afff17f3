import { configDefaults, defineConfig } from 'vitest/config';

// The domain's own tests alone, for mutants of it: what else would notice a mutant would take a hundred times as long.
export default defineConfig({
  test: {
    include: ['test/domain/**/*.test.ts'],
    // They read thousands of messages, for nine seconds a mutant, and hold of many a reader that reads wrongly.
    exclude: [...configDefaults.exclude, 'test/domain/sms/*.{property,linear}.test.ts'],
    testTimeout: 15_000,
  },
});
