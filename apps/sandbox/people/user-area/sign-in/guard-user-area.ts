import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../api/api-error.js';
import { HOUSE_TEST, type AccountScope, isSameScope } from '../../../storage/account-scope.js';
import { scopeIn } from '../web/area-scope.js';
import { isFromThisMachine } from '../web/this-machine.js';
import type { AreaSessions } from './area-sessions.js';

const AREA = /^\/user-area(\/|\?|$)/;
export const SIGN_IN = '/user-area/sign-in';

/** The pages that act on the whole sandbox and thus on every account. */
const OF_THE_SANDBOX: ReadonlySet<string> = new Set(['clock', 'faults', 'accounts']);

/**
 * The account and mode whose key a page requires: the default account for pages that act on the
 * whole sandbox; null for the sign-in.
 */
const scopeAsked = (url: string): AccountScope | null => {
  const [, , segment = '', section = ''] = new URL(url, 'http://any').pathname.split('/');
  if (segment === '') return HOUSE_TEST;
  const scope = scopeIn(segment);
  if (scope === null || !OF_THE_SANDBOX.has(section)) return scope;
  return isSameScope(scope, { ...HOUSE_TEST, live: scope.live }) ? scope : HOUSE_TEST;
};

/**
 * Guards the User Area: a browser on the sandbox's own machine needs no key, if the control routes
 * need none (`control`); any other browser must have signed in with an API key of the account whose
 * pages it opens. See docs/provider/payments-completion.md#settled-after-real-clients.
 */
export const guardUserArea = (
  fastify: FastifyInstance,
  sessions: AreaSessions,
  control: boolean,
): void => {
  fastify.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.url ?? request.url;
    if (!AREA.test(route) || route === SIGN_IN) return;
    if (control && isFromThisMachine(request)) return;
    const scope = scopeAsked(request.url);
    if (scope !== null && (await sessions.opens(request, scope))) return;
    if (request.method !== 'GET') throw new ApiError(401, { error: 'Sign in first' });
    return reply.redirect(SIGN_IN, 303);
  });
};
