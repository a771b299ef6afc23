import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import { type FastifyContextConfig, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { AuditOrigin } from '#operations';
import { assert } from '#kernel';
import { Problem } from '#platform';
import type { SecondFactorPolicy } from '../admin-config.js';
import { isNarrowed } from './access-scope.js';
import { asSeenBy } from './narrowed-reads.js';
import { type Access, isAtLeast } from './role.js';
import { secondFactorOf, secondFactorRequired } from './second-factor-state.js';
import { type ConsoleOrigin, tokenIn } from './session-cookie.js';
import { provesCsrf, type Sessions, type SignedIn } from './sessions.js';

/** The signed-in user, with the actor and request id for the audit log. */
export type Acting = SignedIn & AuditOrigin;

declare module 'fastify' {
  interface FastifyRequest {
    /** The user and session; set on every route under /v1 except the public ones. */
    signedIn: Acting | null;
  }
  interface FastifyContextConfig {
    access?: Access;
    isUse?: boolean;
    isForLimited?: boolean;
  }
}

export const CSRF_HEADER = 'x-csrf-token';
/** Marks background reads of the console, which do not extend the session. */
const BACKGROUND_HEADER = 'x-background';

interface RouteOptions {
  /** Whether a request extends the session; default: true. */
  readonly isUse?: boolean;
  /**
   * Whether limited users may use the route. The reads of such a route return only rows that the
   * user may see; a route that changes an object must itself check that the user may see the
   * object.
   */
  readonly narrowed?: boolean;
  /**
   * The names of body fields with random characters. They are not searched for card numbers and
   * IBANs, which random characters may resemble.
   */
  readonly random?: readonly string[];
}

/**
 * Declares the role that may use a route. The app does not start if a route under /v1 declares
 * none. Routes that pages request in the background do not extend the session (`isUse`).
 */
export const Allow = (
  access: Access,
  { isUse = true, narrowed = false, random = [] }: RouteOptions = {},
): MethodDecorator =>
  applyDecorators(
    RouteConfig({ access, isUse, isForLimited: narrowed, longNumbers: new Set(random) }),
    ApiExtension('x-access', access),
  );

/** A parameter decorator: the signed-in user. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): Acting => {
  const { signedIn } = context.switchToHttp().getRequest<FastifyRequest>();
  assert(signedIn !== null, 'a route with a user parameter must not be public');
  return signedIn;
});

const isOurs = (url: string): boolean => url === '/v1' || url.startsWith('/v1/');
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

const checkOrigin = ({ headers }: FastifyRequest, { origin }: ConsoleOrigin): void => {
  if (headers.origin === origin) return;
  throw new Problem(
    403,
    'origin_refused',
    'changes are accepted only from the console: open the console and repeat the change there',
  );
};

const checkCsrf = ({ headers }: FastifyRequest, { token }: SignedIn): void => {
  if (provesCsrf(token, headers[CSRF_HEADER])) return;
  throw new Problem(403, 'csrf_refused', `send the session's csrfToken as ${CSRF_HEADER}`);
};

const checkRole = (signedIn: SignedIn, access: Access, policy: SecondFactorPolicy): void => {
  if (access === 'public' || access === 'session') return;
  const { role, mustChangePassword } = signedIn;
  const secondFactor = secondFactorOf(signedIn, policy);
  if (secondFactor === 'code_required') throw secondFactorRequired();
  if (access === 'identified') return;
  if (mustChangePassword) {
    throw new Problem(403, 'password_change_required', 'change your one-time password first');
  }
  if (secondFactor === 'set_up_required') {
    throw new Problem(403, 'second_factor_set_up_required', 'set up a second factor first');
  }
  if (!isAtLeast(role, access)) {
    throw new Problem(403, 'role_missing', `this requires the role ${access}`);
  }
};

/**
 * The user who loads a page of the console; null if there is no session, or if a step such as
 * entering a code must be completed before the console is shown.
 */
export const userOfPage = async (
  request: FastifyRequest,
  sessions: Sessions,
  at: ConsoleOrigin,
  policy: SecondFactorPolicy,
): Promise<SignedIn | null> => {
  const signedIn = await sessions.find(tokenIn(request, at), { isUse: true });
  if (signedIn === null || signedIn.mustChangePassword) return null;
  const secondFactor = secondFactorOf(signedIn, policy);
  return secondFactor === 'given' || secondFactor === 'not_used' ? signedIn : null;
};

/**
 * A route whose reads are not narrowed shows the data of all platforms, so limited users may not
 * use it.
 */
const checkScope = (signedIn: SignedIn, { access, isForLimited }: FastifyContextConfig): void => {
  const isOwn = access === 'session' || access === 'identified';
  if (isOwn || isForLimited === true || !isNarrowed(signedIn)) return;
  throw new Problem(
    403,
    'scope_missing',
    'your access is limited to some platforms or merchants: ask a user without this limit',
  );
};

/** Checks session, origin and role of every route under /v1, before the body is read. */
export const guardRoutes = (
  fastify: FastifyInstance,
  sessions: Sessions,
  at: ConsoleOrigin,
  policy: SecondFactorPolicy,
): void => {
  fastify.decorateRequest('signedIn', null);
  fastify.addHook('onRoute', ({ url, config }) => {
    assert(!isOurs(url) || config?.access !== undefined, `the route ${url} must declare its role`);
  });
  fastify.addHook('onRequest', async (request, reply) => {
    const {
      url,
      config: { access, isUse: mayBeUse },
    } = request.routeOptions;
    if (url === undefined || !isOurs(url)) return;
    assert(access !== undefined, `the route ${url} must declare its role`);
    void reply.header('cache-control', 'no-store');
    if (access === 'public') {
      // Browsers send no Origin header with a read of the same origin, so the origin is checked for
      // changes only.
      if (!isRead(request.method)) checkOrigin(request, at);
      return;
    }
    const isUse = mayBeUse === true && request.headers[BACKGROUND_HEADER] === undefined;
    const signedIn = await sessions.find(tokenIn(request, at), { isUse });
    if (signedIn === null) throw new Problem(401, 'unauthorized', 'sign in first');
    if (!isRead(request.method)) {
      checkOrigin(request, at);
      checkCsrf(request, signedIn);
    }
    checkRole(signedIn, access, policy);
    checkScope(signedIn, request.routeOptions.config);
    request.signedIn = { ...signedIn, actor: `user:${signedIn.userId}`, requestId: request.id };
  });
  fastify.addHook('preHandler', ({ method, signedIn }, _, done) => {
    if (signedIn === null || !isRead(method)) done();
    else asSeenBy(signedIn, done);
  });
};
