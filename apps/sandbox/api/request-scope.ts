import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { assert } from '#kernel';
import type { AccountScope } from '../storage/account-scope.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the caller's key opens; the key check knows it for every /v2 route. */
    scope: AccountScope | null;
  }
}

/** What the caller's key opens: it sees and changes nothing else. */
export const InScope = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AccountScope => {
    const { scope } = context.switchToHttp().getRequest<FastifyRequest>();
    assert(scope !== null, 'a route of the API is reached with a key');
    return scope;
  },
);
