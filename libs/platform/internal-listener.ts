import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { listen, type Listener } from './listener.js';
import { frameworkProblem } from './problem-mapping.js';

/** Routes for operators. A process with an internal port serves these only on that port. */
const INTERNAL_ROUTES: ReadonlySet<string> = new Set(['/metrics', '/clock']);
/**
 * Routes that are served on every port, because there may be a load balancer in front of each port.
 */
const HEALTH_ROUTES: ReadonlySet<string> = new Set(['/health/live', '/health/ready']);
const REQUEST_TIMEOUT_MS = 30_000;

/** The internal port; null if the app serves all routes on one port. */
@Injectable()
export class InternalPort {
  number: number | null = null;
}

/** Returns 404 for a route that only the app's other port serves. */
export const keepRoutesApart = (fastify: FastifyInstance, internal: InternalPort): void => {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { url = '' } = request.routeOptions;
    const isInternalPort = request.raw.socket.localPort === internal.number;
    const isHere = HEALTH_ROUTES.has(url) || INTERNAL_ROUTES.has(url) === isInternalPort;
    done(isHere ? undefined : frameworkProblem(404));
  });
};

/** Opens the internal port, over plain HTTP; rejects if the port is in use. */
export const listenInternal = async (
  internal: InternalPort,
  port: number,
  host: string,
  route: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listener> => {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, route);
  const listener = await listen(server, port, host);
  internal.number = listener.port;
  return listener;
};
