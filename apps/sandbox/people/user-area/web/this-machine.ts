import type { FastifyRequest } from 'fastify';
import { hostsOf, nameIn } from '../../../api/control-host.js';
import { isLoopback } from '../../../settings/loopback.js';

/** The headers of a proxy: with them the connection's address is not the reader's. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

const addressOf = ({ socket }: FastifyRequest): string =>
  (socket.remoteAddress ?? '').replace(/^::ffff:/i, '');

/** Whether the reader is on this machine: by the connection, the host name, and no proxy. */
export const isFromThisMachine = (request: FastifyRequest): boolean => {
  const hosts = hostsOf(request);
  return (
    isLoopback(addressOf(request)) &&
    hosts.length > 0 &&
    hosts.every((host) => isLoopback(nameIn(host))) &&
    FORWARDED.every((header) => request.headers[header] === undefined)
  );
};
