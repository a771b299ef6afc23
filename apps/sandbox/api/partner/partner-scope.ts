import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { assert } from '#kernel';
import type { PartnerScope } from './partner-keys.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The partner of the API key. The key check sets it on every route of the onboarding API that
     * requires a key.
     */
    partner: PartnerScope | null;
  }
}

/** The partner of the caller's key. */
export const Partner = createParamDecorator(
  (_data: unknown, context: ExecutionContext): PartnerScope => {
    const { partner } = context.switchToHttp().getRequest<FastifyRequest>();
    assert(partner !== null, 'the key was checked before the route');
    return partner;
  },
);
