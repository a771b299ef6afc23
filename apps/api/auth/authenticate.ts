import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { type FastifyContextConfig, type FastifyInstance, type FastifyRequest } from 'fastify';
import { assert } from '#kernel';
import { Problem, type Scope } from '#platform';
import { type Caller, type KeyVerifier, may } from './key-verifier.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that asks for a scope. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** What the caller's key must be allowed to do. */
    scope?: Scope;
  }
}

/**
 * The route is for callers whose key has this scope. Under /v1 a route without one is refused.
 * `more` of the route's settings: there is one place for all of them.
 */
export const Allow = (scope: Scope, more: FastifyContextConfig = {}): MethodDecorator =>
  applyDecorators(RouteConfig({ ...more, scope }), ApiBearerAuth(), ApiExtension('x-scope', scope));

/** The verified caller, as a handler's parameter. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => {
    const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
    assert(caller !== null, 'a route that wants its caller asks for a scope');
    return caller;
  },
);

/** Throws `Problem` `scope_missing`. */
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

/** Before a body is even read: every route under /v1 needs a key with the route's scope. */
export const authenticate = (fastify: FastifyInstance, keys: KeyVerifier): void => {
  fastify.decorateRequest('caller', null);
  fastify.addHook('onRequest', async (request, reply) => {
    const { url, config } = request.routeOptions;
    // The route decides, not how its address was written; what has none is a 404 of ours.
    if (!isOurs(url ?? request.url)) return;
    // What is answered is for this caller, now: no cache on the way keeps it.
    void reply.header('cache-control', 'no-store');
    if (url === undefined) return;
    const { scope } = config;
    assert(scope !== undefined, `the route ${url} says which scope it needs`);
    const caller = await callerOf(request, keys);
    mustAllow(caller, scope);
    request.caller = caller;
  });
};
