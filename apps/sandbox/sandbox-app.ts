import multipart from '@fastify/multipart';
import { createLogger, type HttpApp, type Logger, startHttpApp } from '#platform';
import { AppModule } from './app.module.js';
import { injectFaults } from './faults/fault-hooks.js';
import { Faults } from './faults/faults.js';
import { canonicalUrl } from './http/addresses.js';
import { guardControl } from './http/control-host.js';
import { followConventions, keyRingOf } from './http/conventions.js';
import { serveReference } from './openapi/reference.js';
import type { SandboxConfig } from './sandbox-config.js';
import { AreaSessions } from './user-area/sign-in/area-sessions.js';
import { guardUserArea } from './user-area/sign-in/guard-user-area.js';

/** Starts the sandbox on its migrated database. Rejects when a port is taken. */
export const startSandbox = async (
  config: SandboxConfig,
  options: { readonly logger?: Logger; readonly ownsProcess?: boolean } = {},
): Promise<HttpApp> => {
  const logger = options.logger ?? createLogger('sandbox');
  return startHttpApp({
    name: 'sandbox',
    module: AppModule.forRoot(config),
    port: config.port,
    host: config.host,
    logger,
    ...(config.tls === null ? {} : { tls: { ...config.tls, http2: true } }),
    problemJson: false,
    validation: false,
    // The page takes card numbers; the API refuses them itself, in its own shape.
    accountNumbersRefused: false,
    helmet: false,
    rewriteUrl: canonicalUrl,
    configure: async (app, fastify) => {
      await fastify.register(multipart, { throwFileSizeLimit: false });
      guardControl(fastify, config.publicUrl);
      const keys = keyRingOf(app, config);
      if (config.control) {
        injectFaults(fastify, app.get(Faults));
        const sessions = app.get(AreaSessions, { strict: false });
        sessions.use(keys);
        guardUserArea(fastify, sessions);
      }
      followConventions(app, fastify, config, keys, logger);
      serveReference(fastify);
    },
    ...(options.ownsProcess === undefined ? {} : { ownsProcess: options.ownsProcess }),
  });
};
