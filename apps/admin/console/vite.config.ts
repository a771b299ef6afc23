import { defineConfig, type Plugin } from 'vite';

/** The folder of the built files, in which the admin app finds them. */
const OUT = '../../../dist/apps/admin/console-build';
/** The running admin app from which Vite's development server gets its data. */
const ADMIN_URL = process.env['ADMIN_URL'] ?? 'http://127.0.0.1:4109';

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*>/g;

/**
 * Lets a slow connection show the page earlier. The browser shows the frame of the page before the
 * style sheet is loaded, and loads the script that every page needs together with the first scripts
 * instead of after them.
 */
const showEarly = (): Plugin => ({
  name: 'show-early',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const shell = Object.values(bundle ?? {}).find(
        (one) => one.type === 'chunk' && one.facadeModuleId?.endsWith('/src/shell/shell.tsx'),
      );
      const preload =
        shell === undefined
          ? ''
          : `<link rel="modulepreload" crossorigin href="/${shell.fileName}">`;
      const sheets = (html.match(STYLESHEET) ?? []).join('');
      return html
        .replaceAll(STYLESHEET, '')
        .replace('</head>', `${preload}</head>`)
        .replace('</body>', `${sheets}</body>`);
    },
  },
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [showEarly()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    // The oldest browser versions that support the CSS function light-dark(), which the console's
    // colours use.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // No file is inlined: browsers can cache separate files, and the page's security policy stays
    // short.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Modules that at least four chunks share are in one file: a browser loads 60 small files
        // more slowly than one file with some unused kilobytes.
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: /\/console\/src\/|@mantine|@floating-ui|react-remove-scroll/,
              minShareCount: 4,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': ADMIN_URL } },
});
