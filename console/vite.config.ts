import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { documentsManifest } from './documents.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), documentsManifest()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy allows no data: addresses in scripts and styles.
    assetsInlineLimit: 0,
    // Its polyfill is an inline script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
