import { type HttpApp, type HttpAppOptions, limitRates, startHttpApp } from '#platform';
import { type ApiConfig } from './api-config.js';
import { ApiModule } from './api.module.js';
import { authenticate } from './auth/authenticate.js';
import { KeyVerifier } from './auth/key-verifier.js';
import { takeMultipart } from './merchants/documents/multipart.js';
import { problems } from './problems.js';
import { serveReference } from './reference/reference-page.js';

/**
 * The HTTP settings of the API's routes; also used by the process that runs API and worker
 * together.
 */
export const apiOptions = ({
  port,
  tls,
  requestsPerSecond,
}: ApiConfig): Pick<HttpAppOptions, 'port' | 'tls' | 'problems' | 'configure'> => ({
  port,
  ...(tls === undefined ? {} : { tls }),
  problems,
  configure: async (app, fastify) => {
    authenticate(fastify, app.get(KeyVerifier));
    await takeMultipart(fastify);
    await limitRates(fastify, requestsPerSecond, ({ caller }) => caller?.keyPrefix ?? null);
    serveReference(fastify, app);
  },
});

/**
 * Starts the API. Rejects when a port is in use, or when the event log was restored from another
 * database server.
 */
export const startApi = (
  config: ApiConfig,
  options: Pick<HttpAppOptions, 'logger' | 'ownsProcess'> = {},
): Promise<HttpApp> =>
  startHttpApp({
    ...options,
    ...apiOptions(config),
    name: 'api',
    module: ApiModule.forRoot(config),
    internalPort: config.internalPort,
  });
