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
    /**
     * The correlation id, shared by everything that the request causes; taken from the caller if it
     * sent one.
     */
    correlationId: string;
    /** Our span in the caller's trace, or in a new one. */
    trace: TraceContext;
  }
  interface FastifyContextConfig {
    /** Whether the route's handler gets the raw bytes of the body, for any media type. */
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

/**
 * The caller's trace, which is stored and published with events; a trace with a card number is
 * ignored.
 */
const traceOf = ({ headers: { traceparent } }: FastifyRequest): TraceContext | undefined =>
  typeof traceparent === 'string' && !mayHoldCardNumber(traceparent)
    ? parseTraceparent(traceparent)
    : undefined;

export const newRequestId = (): string => newId('req');

/** Assigns the correlation id and trace of every request before any other hook runs. */
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
