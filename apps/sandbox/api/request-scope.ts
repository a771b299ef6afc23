import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { assert } from '#kernel';
import type { AccountScope } from '../storage/account-scope.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The scope of the caller's key; the key check sets it for every /v2 route. */
    scope: AccountScope | null;
  }
}

/** The scope of the caller's key: the request can read and change nothing else. */
export const InScope = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AccountScope => {
    const { scope } = context.switchToHttp().getRequest<FastifyRequest>();
    assert(scope !== null, 'a route of the API is reached with a key');
    return scope;
  },
);
