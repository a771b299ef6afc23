import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { newId } from '#kernel';
import { isQuiet } from './access-log.js';
import { mayHoldIban } from './ibans.js';
import { mayHoldCardNumber } from './masking.js';
import {
  continueTrace,
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
} from './trace-context.js';
import { beginRequestSpan, isTracing, type RequestSpan } from './tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The correlation id, which is shared by everything that the request causes. A caller may send
     * it; otherwise it is generated.
     */
    correlationId: string;
    /** Our span in the caller's trace, or in a new trace. */
    trace: TraceContext;
    /** The exported span of the request; null if it is not exported. */
    span: RequestSpan | null;
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
 * The trace that the caller sent. It is stored and published with events, so a trace that contains
 * a card number is ignored.
 */
const traceOf = ({ headers: { traceparent } }: FastifyRequest): TraceContext | undefined =>
  typeof traceparent === 'string' && !mayHoldCardNumber(traceparent)
    ? parseTraceparent(traceparent)
    : undefined;

export const newRequestId = (): string => newId('req');

const spanOf = (request: FastifyRequest, caller: TraceContext | undefined): RequestSpan | null => {
  const { method, routeOptions } = request;
  const route = routeOptions.url ?? 'unknown';
  return isQuiet(method, route) ? null : beginRequestSpan(method, route, caller);
};

/**
 * Makes the span of a request active in its handler, and ends it after the response. The span is
 * activated after the body has been read, because the reading of a body leaves the async context.
 */
const followSpans = (fastify: FastifyInstance): void => {
  fastify.addHook('preHandler', ({ span }, _reply, done) => {
    if (span === null) done();
    else span.run(done);
  });
  fastify.addHook('onResponse', ({ span }, { statusCode }, done) => {
    span?.end(statusCode);
    done();
  });
};

/** Assigns a correlation id and a trace to every request, before any other hook runs. */
export const followRequests = (fastify: FastifyInstance): void => {
  fastify.decorateRequest('correlationId', '');
  fastify.decorateRequest('trace');
  fastify.decorateRequest('span', null);
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    const caller = traceOf(request);
    request.span = spanOf(request, caller);
    request.trace = request.span?.trace ?? continueTrace(caller);
    request.correlationId = correlationOf(request);
    reply.header('x-request-id', request.id);
    reply.header('x-correlation-id', request.correlationId);
    done();
  });
  if (isTracing()) followSpans(fastify);
};

export const traceparentOf = (request: FastifyRequest): string => formatTraceparent(request.trace);
