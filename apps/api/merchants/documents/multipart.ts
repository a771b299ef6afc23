import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#platform';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads a multipart body itself, piece by piece. */
    multipart?: boolean;
  }
}

/** Multipart bodies for the routes that say so, and for no other. */
export const takeMultipart = async (fastify: FastifyInstance): Promise<void> => {
  await fastify.register(multipart);
  fastify.addHook('preValidation', (request, _reply, done) => {
    const isTaken = request.routeOptions.config.multipart === true || !request.isMultipart();
    if (isTaken) done();
    else done(new Problem(415, 'unsupported_media_type', 'send the body as application/json'));
  });
};
