import { type HttpApp, type HttpAppOptions, limitRates, startHttpApp } from '#platform';
import { type ApiConfig } from './api-config.js';
import { ApiModule } from './api.module.js';
import { authenticate } from './auth/authenticate.js';
import { KeyVerifier } from './auth/key-verifier.js';
import { takeMultipart } from './merchants/documents/multipart.js';
import { problems } from './problems.js';
import { serveReference } from './reference/reference-page.js';

/** Starts the api. Rejects when a port is taken or the log is another server's. */
export const startApi = (
  config: ApiConfig,
  options: Pick<HttpAppOptions, 'logger' | 'ownsProcess'> = {},
): Promise<HttpApp> =>
  startHttpApp({
    ...options,
    name: 'api',
    module: ApiModule.forRoot(config),
    port: config.port,
    ...(config.tls === undefined ? {} : { tls: config.tls }),
    problems,
    configure: async (app, fastify) => {
      authenticate(fastify, app.get(KeyVerifier));
      await takeMultipart(fastify);
      await limitRates(
        fastify, config.requestsPerSecond, ({ caller }) => caller?.keyPrefix ?? null,
      );
      serveReference(fastify, app);
    },
  });
