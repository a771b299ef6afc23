import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { type FastifyContextConfig, type FastifyInstance, type FastifyRequest } from 'fastify';
import { assert } from '#kernel';
import { Problem, type Scope } from '#platform';
import { type Caller, type KeyVerifier, may } from './key-verifier.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set on every route that requires a scope. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The scope that the caller's key must have. */
    scope?: Scope;
  }
}

/**
 * Requires a key with this scope. Under /v1 a route without a scope is refused. `more`: further
 * settings of the route, because Nest keeps the route settings of only one decorator.
 */
export const Allow = (scope: Scope, more: FastifyContextConfig = {}): MethodDecorator =>
  applyDecorators(RouteConfig({ ...more, scope }), ApiBearerAuth(), ApiExtension('x-scope', scope));

/** The verified caller, as a handler's parameter. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => {
    const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
    assert(caller !== null, 'a route with a caller parameter requires a scope');
    return caller;
  },
);

/** Checks that the caller's key has the scope. Throws `Problem` `scope_missing`. */
export const mustAllow = (caller: Caller, scope: Scope): void => {
  if (may(caller, scope)) return;
  throw new Problem(403, 'scope_missing', `this key lacks the scope ${scope}`);
};

const unauthorized = (): Problem =>
  new Problem(401, 'unauthorized', 'send a valid API key as Authorization: Bearer <key>', {
    headers: { 'www-authenticate': 'Bearer' },
  });

const callerOf = async (request: FastifyRequest, keys: KeyVerifier): Promise<Caller> => {
  const [, keyText] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const caller = keyText === undefined ? null : await keys.verify(keyText);
  if (caller === null) throw unauthorized();
  return caller;
};

const isOurs = (path: string): boolean => /^\/v1(?:[/?]|$)/.test(path);

/** Runs before the body is read: every route under /v1 needs a key with the route's scope. */
export const authenticate = (fastify: FastifyInstance, keys: KeyVerifier): void => {
  fastify.decorateRequest('caller', null);
  fastify.addHook('onRequest', async (request, reply) => {
    const { url, config } = request.routeOptions;
    // The required scope is read from the matched route, because a URL can be spelled in several
    // ways. A URL that matches no route gets a 404.
    if (!isOurs(url ?? request.url)) return;
    // The response is for this caller only: no cache may store the response.
    void reply.header('cache-control', 'no-store');
    if (url === undefined) return;
    const { scope } = config;
    assert(scope !== undefined, `the route ${url} declares no scope`);
    const caller = await callerOf(request, keys);
    mustAllow(caller, scope);
    request.caller = caller;
  });
};
