import multipart from '@fastify/multipart';
import { createLogger, type HttpApp, type Logger, startHttpApp } from '#platform';
import { canonicalUrl } from './api/addresses.js';
import { guardControl } from './api/control-host.js';
import { followConventions } from './api/conventions.js';
import { KeyRing } from './api/keys.js';
import { serveReference } from './api/openapi/reference.js';
import { AppModule } from './app.module.js';
import { paymentDocument } from './collection/openapi/document.js';
import { SandboxClock } from './clock/sandbox-clock.js';
import { injectFaults } from './faults/fault-hooks.js';
import { Faults } from './faults/faults.js';
import { MerchantKeys } from './onboarding/merchant-keys/merchant-keys.js';
import { onboardingDocument } from './onboarding/openapi/onboarding-document.js';
import { AreaSessions } from './people/user-area/sign-in/area-sessions.js';
import { guardUserArea } from './people/user-area/sign-in/guard-user-area.js';
import { guardPages } from './people/web/guard-pages.js';
import type { SandboxConfig } from './settings/sandbox-config.js';

const PAGE = /^\/(?:pay|bank|subscription|user-area)(?:\/|$)/;
/**
 * The form for dispute evidence may be larger than 4 KiB, so `guardPages` does not apply to this
 * form; its controller checks the origin instead.
 */
const EVIDENCE = '/user-area/:mode/disputes/';
const isPage = (route: string): boolean => PAGE.test(route) && !route.startsWith(EVIDENCE);

/** Starts the sandbox on its migrated database. Rejects when a port is already in use. */
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
    // The HTTP server must not reject bodies with card numbers, because the payment page sends
    // them; the API routes reject such bodies in their own error format.
    accountNumbersRefused: false,
    helmet: false,
    rewriteUrl: canonicalUrl,
    configure: async (app, fastify) => {
      await fastify.register(multipart, { throwFileSizeLimit: false });
      guardControl(fastify, config.publicUrl);
      guardPages(fastify, isPage);
      const merchants = app.get(MerchantKeys, { strict: false });
      const keys = new KeyRing(config.testKey, config.liveKey, merchants);
      if (config.control) injectFaults(fastify, app.get(Faults), app.get(SandboxClock));
      const sessions = app.get(AreaSessions, { strict: false });
      sessions.use(keys);
      guardUserArea(fastify, sessions, config.control);
      followConventions(app, fastify, config, keys, logger);
      serveReference(fastify, {
        '/openapi.json': paymentDocument(),
        '/openapi-onboarding.json': onboardingDocument(),
      });
    },
    ...(options.ownsProcess === undefined ? {} : { ownsProcess: options.ownsProcess }),
  });
};
