import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { assert } from '#kernel';
import type { AccountScope } from '../storage/account-scope.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The account and mode of the caller's API key; the key check sets them for every /v2 route.
     */
    scope: AccountScope | null;
  }
}

/**
 * The account and mode of the caller's API key; the request can access only objects of this account
 * and mode.
 */
export const InScope = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AccountScope => {
    const { scope } = context.switchToHttp().getRequest<FastifyRequest>();
    assert(scope !== null, 'a route of the API is reached with a key');
    return scope;
  },
);
