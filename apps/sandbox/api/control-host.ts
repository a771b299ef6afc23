import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../settings/loopback.js';
import { ApiError } from './api-error.js';

/** The forms of a browser's Host header: `name`, `name:port` and `[::1]:port`. */
const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i;

/**
 * Matches the control routes and the routes of the User Area, which also moves the clock and
 * injects faults.
 */
const CONTROL = /^\/(sandbox|user-area)(\/|\?|$)/;

export const nameIn = (host: string): string => {
  const [, address, name] = HOST.exec(host) ?? [];
  return (address ?? name ?? '').toLowerCase();
};

/** The hosts that a request names: in the `Host` header, in `:authority` of HTTP/2, or in both. */
export const hostsOf = ({ headers }: FastifyRequest): readonly string[] =>
  [headers.host, headers[':authority']].filter((host) => typeof host === 'string');

/**
 * The control routes need no key. A web page opened on this machine could call them under a host
 * name that resolves to this machine (DNS rebinding), so the control routes respond only under the
 * sandbox's own host names.
 */
export const guardControl = (fastify: FastifyInstance, publicUrl: string): void => {
  const publicName = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  const isOurs = (host: string): boolean => {
    const name = nameIn(host);
    return isLoopback(name) || name === publicName;
  };
  fastify.addHook('onRequest', (request, _reply, done) => {
    const hosts = hostsOf(request);
    const isControl = CONTROL.test(request.routeOptions.url ?? request.url);
    if (isControl && !(hosts.length > 0 && hosts.every(isOurs))) {
      throw new ApiError(403, {
        error: 'Send a Host header with the host of SANDBOX_PUBLIC_URL or a loopback host',
      });
    }
    done();
  });
};
