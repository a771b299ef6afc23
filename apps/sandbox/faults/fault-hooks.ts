import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, HOUR_MS, plusMs } from '#kernel';
import { listedUntil } from '../api/lists.js';
import { partnerAnswer } from '../api/partner/partner-answer.js';
import { isPartnerApi } from '../api/partner/partner-paths.js';
import { routeName } from './fault-input.js';
import type { CallFault, CallFaultKind } from './fault.js';
import type { Faults } from './faults.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The fault injected into this call; null when there is none. */
    fault: CallFault | null;
  }
}

const FLUSH_MS = 20;
/** The age that an object must have to appear in a list with the fault `late_list`. */
const LATE_MS = 12 * HOUR_MS;

/**
 * Whether a request is for the payment or onboarding API: faults affect neither pages nor control
 * routes.
 */
const isApi = (url: string): boolean => url.startsWith('/v2/') || url.startsWith('/api/partners/');

/** Closes the caller's connection (over HTTP/2: the stream) without a response. */
const cut = ({ raw }: FastifyRequest, reset = false): void => {
  if (raw.httpVersionMajor === 2) raw.destroy();
  else if (reset) raw.socket.resetAndDestroy();
  else raw.socket.destroy();
};

const cutHalfWay = (request: FastifyRequest, reply: FastifyReply, payload: string): void => {
  const raw: ServerResponse = reply.raw;
  const bytes = Buffer.from(payload);
  raw.writeHead(reply.statusCode, {
    'content-type': String(reply.getHeader('content-type') ?? 'application/json; charset=utf-8'),
    'content-length': bytes.length,
  });
  raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
  setTimeout(() => cut(request), FLUSH_MS);
};

/** An error in the format of the called API. */
const errorBody = (request: FastifyRequest, status: number, error: string): object =>
  isPartnerApi(request) ? partnerAnswer(status, []).body : { error };

const instead = (request: FastifyRequest, reply: FastifyReply, fault: CallFault): void => {
  if (fault.kind === 'status_500') {
    void reply.code(500).send(errorBody(request, 500, 'Internal server error'));
  } else if (fault.kind === 'status_429') {
    const body = errorBody(request, 429, 'Too many requests');
    void reply.code(429).header('retry-after', '1').send(body);
  } else {
    const page = '<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>';
    void reply.code(502).type('text/html').send(page);
  }
};

/** The faults that change only the response of a call that is executed normally. */
const CHANGE_ANSWERS: readonly CallFaultKind[] = ['drop_after', 'half_answer'];

/** Injects the registered faults into the API calls that they match. */
export const injectFaults = (fastify: FastifyInstance, faults: Faults, clock: Clock): void => {
  fastify.decorateRequest('fault', null);
  fastify.addHook('onRoute', ({ method, url }) => {
    if (!isApi(url)) return;
    for (const one of [method].flat()) faults.registerRoute(routeName(one, url));
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (faults.allCalls().length === 0) return done();
    const fault =
      url === undefined || !isApi(url)
        ? null
        : faults.takeCallFault(routeName(request.method, url));
    if (fault === null) return done();
    request.fault = fault;
    if (fault.kind === 'delay') return void setTimeout(done, fault.delayMs);
    if (fault.kind === 'late_list') return listedUntil.run(plusMs(clock.now(), -LATE_MS), done);
    if (CHANGE_ANSWERS.includes(fault.kind)) return done();
    if (fault.kind === 'drop_before' || fault.kind === 'reset') {
      reply.hijack();
      return cut(request, fault.kind === 'reset');
    }
    return instead(request, reply, fault);
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const kind = request.fault?.kind;
    if (kind !== 'drop_after' && kind !== 'half_answer') return done(null, payload);
    reply.hijack();
    if (kind === 'drop_after') cut(request);
    else cutHalfWay(request, reply, String(payload));
  });
};
