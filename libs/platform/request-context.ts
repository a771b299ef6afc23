import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { newId } from '#kernel';
import { mayHoldIban } from './ibans.js';
import { mayHoldCardNumber } from './masking.js';
import {
  continueTrace,
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
} from './trace-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ties together everything that one cause leads to; the caller's own when it sent one. */
    correlationId: string;
    /** Our place in the caller's trace, or in a new one. */
    trace: TraceContext;
  }
  interface FastifyContextConfig {
    /** The handler gets the body as the bytes that came, whatever their media type. */
    rawBody?: boolean;
  }
}

const CORRELATION = /^[\w.:-]{1,64}$/;

const correlationOf = (request: FastifyRequest): string => {
  const given = request.headers['x-correlation-id'];
  const taken =
    typeof given === 'string' &&
    CORRELATION.test(given) &&
    !mayHoldCardNumber(given) &&
    !mayHoldIban(given);
  return taken ? given : request.id;
};

/** The caller's trace, stored and published with events: one with a card number is refused. */
const traceOf = ({ headers: { traceparent } }: FastifyRequest): TraceContext | undefined =>
  typeof traceparent === 'string' && !mayHoldCardNumber(traceparent)
    ? parseTraceparent(traceparent)
    : undefined;

export const newRequestId = (): string => newId('req');

/** Gives every request its correlation and its trace, before anything else sees it. */
export const followRequests = (fastify: FastifyInstance): void => {
  fastify.decorateRequest('correlationId', '');
  fastify.decorateRequest('trace');
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    request.trace = continueTrace(traceOf(request));
    request.correlationId = correlationOf(request);
    reply.header('x-request-id', request.id);
    reply.header('x-correlation-id', request.correlationId);
    done();
  });
};

export const traceparentOf = (request: FastifyRequest): string => formatTraceparent(request.trace);
