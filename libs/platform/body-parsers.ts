import { type FastifyInstance } from 'fastify';
import { Problem } from './problem.js';

const unsupported = (): Problem =>
  new Problem(415, 'unsupported_media_type', 'send the body as application/json');

/**
 * Parses JSON on every route. Routes with the config `rawBody` get the raw bytes of any media type,
 * because a signature covers bytes.
 */
export const parseBodies = (fastify: FastifyInstance): void => {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeContentTypeParser(['application/json', 'text/plain']);
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (request.routeOptions.config.rawBody === true) done(null, body);
      else void parseJson(request, body.toString('utf8'), done);
    },
  );
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (request.routeOptions.config.rawBody === true) done(null, body);
    else done(unsupported());
  });
};
