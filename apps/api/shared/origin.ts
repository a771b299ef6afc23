import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import type { EventMetadata } from '#log';
import { traceparentOf } from '#platform';
import type { Caller } from '../auth/key-verifier.js';

/** The request that a command comes from, as far as events tell of it. */
export interface Origin {
  readonly requestId: string;
  readonly traceparent: string;
}

/** Where a command comes from, as a handler's parameter. */
export const RequestOrigin = createParamDecorator(
  (_: unknown, context: ExecutionContext): Origin => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return { requestId: request.id, traceparent: traceparentOf(request) };
  },
);

/** What the events of a platform's request say of their cause; all of an order's correlate. */
export const metadataOf = (orderId: string, caller: Caller, origin: Origin): EventMetadata => ({
  correlationId: orderId,
  causationId: origin.requestId,
  actor: `platform:${caller.platformId}`,
  traceparent: origin.traceparent,
});
