import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject } from '@nestjs/swagger';
import { type FastifyInstance } from 'fastify';
import { openApiDocument } from './openapi.js';

const require = createRequire(import.meta.url);

/** The files of the reference page; each key is the file's path under /docs. */
const ASSETS = [
  {
    name: 'swagger-ui.css',
    file: require.resolve('swagger-ui-dist/swagger-ui.css'),
    type: 'text/css; charset=utf-8',
  },
  {
    name: 'swagger-ui-bundle.js',
    file: require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    type: 'text/javascript; charset=utf-8',
  },
] as const;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Payment orchestration API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <main id="reference"></main>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#reference', deepLinking: true, persistAuthorization: false,
});
`;

/**
 * The AsyncAPI document, which refers to the schemas in the folder beside it. `npm run generate`
 * writes both, and the build copies them.
 */
const ASYNC_API = new URL('../../../docs/generated/asyncapi.yaml', import.meta.url);

/**
 * Serves /openapi.json, /asyncapi.yaml with its /schemas, and the reference page at /docs. All files
 * of the page are served from here, so that the page works without internet access.
 */
export const serveReference = (fastify: FastifyInstance, app: NestFastifyApplication): void => {
  let document: OpenAPIObject | undefined;
  fastify.get('/openapi.json', async (_request, reply) => {
    document ??= openApiDocument(app);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(document));
  });
  fastify.get('/asyncapi.yaml', async (_request, reply) =>
    reply.type('application/yaml; charset=utf-8').send(await readFile(ASYNC_API, 'utf8')),
  );
  fastify.get<{ Params: { name: string } }>('/schemas/:name', async ({ params }, reply) => {
    const folder = new URL('schemas/', ASYNC_API);
    if (!(await readdir(folder)).includes(params.name)) return reply.callNotFound();
    const text = await readFile(new URL(params.name, folder), 'utf8');
    return reply.type('application/schema+json; charset=utf-8').send(text);
  });
  fastify.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  fastify.get('/docs/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START),
  );
  for (const { name, file, type } of ASSETS) {
    fastify.get(`/docs/${name}`, async (_request, reply) => {
      return reply
        .type(type)
        .header('cache-control', 'max-age=3600')
        .send(await readFile(file));
    });
  }
};
