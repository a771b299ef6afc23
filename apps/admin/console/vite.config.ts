import { defineConfig } from 'vite';

/** The folder of the built files, in which the admin app finds them. */
const OUT = '../../../dist/apps/admin/console-build';
/** The running admin app from which Vite's development server gets its data. */
const ADMIN_URL = process.env['ADMIN_URL'] ?? 'http://127.0.0.1:4109';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: OUT,
    emptyOutDir: true,
    // The first browser versions that support light-dark(), which the console's colours use.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // No file is inlined: browsers can cache separate files, and the page's security policy stays
    // short.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/v1': ADMIN_URL } },
});
