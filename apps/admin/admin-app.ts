import type { FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { type HttpApp, type HttpAppOptions, limitRates, startHttpApp } from '#platform';
import { isNarrowed } from './access/access-scope.js';
import { guardRoutes, userOfPage } from './access/allow.js';
import { asSeenBy, narrowReads } from './access/narrowed-reads.js';
import { Sessions } from './access/sessions.js';
import { type AdminConfig, SECOND_FACTOR } from './admin-config.js';
import { AdminModule } from './admin.module.js';
import { Cases } from './cases/cases.js';
import { problems } from './problems.js';
import { countApprovals, usualCaseCounts } from './overview/open-counts.js';
import { serveConsole } from './static/console-files.js';
import type { FirstViewFacts } from './static/first-view.js';
import { styleNonce } from './static/style-nonce.js';

/**
 * The security headers. The console loads everything from its own origin; style elements of its
 * libraries carry the page's nonce.
 */
const helmetOf = ({ origin }: AdminConfig): NonNullable<HttpAppOptions['helmet']> => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", (_request, response) => `'nonce-${styleNonce(response)}'`],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      manifestSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
  // Sent only with TLS: otherwise the header would make browsers use an HTTPS port on which no
  // server listens.
  strictTransportSecurity: origin.startsWith('https:'),
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
});

/** Starts the admin app. Rejects if the port is in use or a route declares no role. */
export const startAdmin = (
  config: AdminConfig,
  options: Pick<HttpAppOptions, 'logger' | 'ownsProcess'> = {},
): Promise<HttpApp> =>
  startHttpApp({
    ...options,
    name: 'admin',
    module: AdminModule.forRoot(config),
    port: config.port,
    trustProxy: config.trustedProxies ?? undefined,
    problems,
    helmet: helmetOf(config),
    configure: async (app, fastify) => {
      narrowReads(app.get(Pool));
      guardRoutes(fastify, app.get(Sessions), config, app.get(SECOND_FACTOR));
      await limitRates(
        fastify,
        config.requestsPerSecond,
        ({ signedIn }) => signedIn?.userId ?? null,
      );
      const factsOf = async (request: FastifyRequest): Promise<FirstViewFacts | null> => {
        const user = await userOfPage(request, app.get(Sessions), config, app.get(SECOND_FACTOR));
        if (user === null) return null;
        const [totals, approvals] = await asSeenBy(user, () =>
          Promise.all([app.get(Cases).totals(), countApprovals(app.get(Pool))]),
        );
        const counts = new Map([...usualCaseCounts(totals), ['approvals', approvals]]);
        return { counts, isLimited: isNarrowed(user) };
      };
      serveConsole(fastify, config.consoleFiles, factsOf);
    },
  });
