import { defineConfig } from 'vite';

/** Where the admin app finds the built files. */
const OUT = '../../../dist/apps/admin/console-build';
/** Where Vite's own server, for work on the console, asks for data: a running admin app. */
const ADMIN_URL = process.env['ADMIN_URL'] ?? 'http://127.0.0.1:4109';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: OUT,
    emptyOutDir: true,
    // The first that know light-dark(), which the console's colours are made of.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // What is in a file of its own is kept by browsers, and the page's policy stays short.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/v1': ADMIN_URL } },
});
