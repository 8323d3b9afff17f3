import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Whole programs that wait for each other in real time, and a suite that another runs, once more behind the cipher. */
const SLOW = [
  'test/slow/**/*.test.ts',
  'test/examples/**/*.test.ts',
  'test/docs/samples.test.ts',
  'test/faults/canary.test.ts',
  'test/conformance/sealed.test.ts',
  'test/conformance/beside.test.ts',
];
/** What takes a minute of PostgreSQL or Redis: `npm run test:postgres`. The rest of what needs them is in `npm test`. */
const LONG_ON_SERVICES = [
  'test/conformance/postgres.test.ts',
  'test/store/postgres/lost-commit.test.ts',
  'test/wake/redis.test.ts',
];

// Vite resolves graphql to index.mjs while the libraries load index.js: two copies, whose errors and types are strangers
// to each other, so that coded errors come out masked.
const graphql = fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url));

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    // Processes, not threads: tests set process.env, send signals and load native code.
    pool: 'forks',
    // One more than the cores that CI has: many tests wait for sockets and processes.
    maxWorkers: 3,
    restoreMocks: true,
    // On a machine shared with whatever else CI does, a socket may be late once; what fails three times is wrong.
    retry: process.env['CI'] === 'true' ? 2 : 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...SLOW, ...LONG_ON_SERVICES, 'test/browser/**'],
          // The product is loaded once a worker, not once a file: that halves the whole.
          isolate: false,
          globalSetup: 'test/support/services-setup.ts',
          testTimeout: 15_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          // The api's and the flows' files once more, over the other store.
          name: 'postgres',
          include: ['test/api/**/*.test.ts', 'test/flows/**/*.test.ts', ...LONG_ON_SERVICES],
          // Looks at the file that the program leaves; how it moves to PostgreSQL is its own test.
          exclude: ['test/api/program.test.ts'],
          isolate: false,
          globalSetup: 'test/api/support/postgres-setup.ts',
          env: { TEST_STORE: 'postgres' },
          testTimeout: 15_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: SLOW,
          globalSetup: 'test/support/services-setup.ts',
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They measure: two browsers at once would measure each other.
          fileParallelism: false,
        },
      },
    ],
  },
});
