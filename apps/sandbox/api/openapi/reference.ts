import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply } from 'fastify';

const require = createRequire(import.meta.url);

/** The assets of the reference pages, by their names under /docs. */
const ASSETS = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
] as const;

/** Forbids external sources; the reference page needs inline styles and data URLs for icons. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type DocumentPath = '/openapi.json' | '/openapi-onboarding.json';

interface ReferencePage {
  readonly path: string;
  readonly title: string;
  readonly document: DocumentPath;
}

const PAGES: readonly ReferencePage[] = [
  { path: '/docs', title: 'Payment collection API', document: '/openapi.json' },
  {
    path: '/docs/onboarding',
    title: 'Merchant onboarding API',
    document: '/openapi-onboarding.json',
  },
];

const linkTo =
  (shown: ReferencePage) =>
  ({ path, title }: ReferencePage): string =>
    `<a href="${path}"${path === shown.path ? ' aria-current="page"' : ''}>${title}</a>`;

const html = (page: ReferencePage): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${page.title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body class="swagger-ui">
    <nav class="wrapper" aria-label="References">${PAGES.map(linkTo(page)).join(' · ')}</nav>
    <main id="reference" data-document="${page.document}"></main>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `const { document: url } = document.querySelector('#reference').dataset;
SwaggerUIBundle({
  url, dom_id: '#reference', deepLinking: true, persistAuthorization: false,
});
`;

const sendText = (reply: FastifyReply, type: string, text: string): FastifyReply =>
  reply.type(type).header('x-content-type-options', 'nosniff').send(text);

/**
 * Serves the two OpenAPI documents and a reference page for each. All assets are local: the pages
 * work without internet access.
 */
export const serveReference = (
  fastify: FastifyInstance,
  documents: Readonly<Record<DocumentPath, object>>,
): void => {
  for (const [path, document] of Object.entries(documents)) {
    const text = JSON.stringify(document);
    fastify.get(path, (_request, reply) =>
      sendText(reply, 'application/json; charset=utf-8', text),
    );
  }
  for (const page of PAGES) {
    fastify.get(page.path, (_request, reply) =>
      sendText(
        reply.header('content-security-policy', POLICY),
        'text/html; charset=utf-8',
        html(page),
      ),
    );
  }
  fastify.get('/docs/start.js', (_request, reply) =>
    sendText(reply, 'text/javascript; charset=utf-8', START),
  );
  for (const [name, type] of ASSETS) {
    const file = require.resolve(`swagger-ui-dist/${name}`);
    fastify.get(`/docs/${name}`, async (_request, reply) =>
      sendText(reply.header('cache-control', 'max-age=3600'), type, await readFile(file, 'utf8')),
    );
  }
};
