import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

// As in vitest.config.ts: two copies of it are strangers to each other.
const graphql = fileURLToPath(new URL('../../../node_modules/graphql/index.js', import.meta.url));

// Inside of node_modules, where the one package is found that cannot be bundled.
const outDir = fileURLToPath(new URL(`../../../node_modules/.cache/crash-${process.pid}`, import.meta.url));
let building: Promise<string> | null = null;

/** The program with its packages in one file, built once: started forty times, it must not be put together forty times. */
export function bundleProcess(): Promise<string> {
  building ??= bundle();
  return building;
}

export function removeBundle(): void {
  rmSync(outDir, { recursive: true, force: true });
}

async function bundle(): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
    build: {
      ssr: fileURLToPath(new URL('../process.ts', import.meta.url)),
      outDir,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'process.mjs' } },
    },
  });
  return `${outDir}/process.mjs`;
}
