import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the caller's key is a live one; set by the key check for every /v2 route. */
    live: boolean;
  }
}

/** Whether the caller's key is a live one: a key sees only objects made in its own mode. */
export const Live = createParamDecorator(
  (_data: unknown, context: ExecutionContext): boolean =>
    context.switchToHttp().getRequest<FastifyRequest>().live,
);
