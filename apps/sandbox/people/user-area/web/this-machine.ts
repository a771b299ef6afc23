import type { FastifyRequest } from 'fastify';
import { hostsOf, nameIn } from '../../../api/control-host.js';
import { isLoopback } from '../../../settings/loopback.js';

/**
 * Headers that proxies set: with one of them the connection's IP address is the proxy's, not the
 * browser's.
 */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

const addressOf = ({ socket }: FastifyRequest): string =>
  (socket.remoteAddress ?? '').replace(/^::ffff:/i, '');

/**
 * Whether the browser is on this machine: the connection and the host name are loopback, and no
 * proxy is in between.
 */
export const isFromThisMachine = (request: FastifyRequest): boolean => {
  const hosts = hostsOf(request);
  return (
    isLoopback(addressOf(request)) &&
    hosts.length > 0 &&
    hosts.every((host) => isLoopback(nameIn(host))) &&
    FORWARDED.every((header) => request.headers[header] === undefined)
  );
};
