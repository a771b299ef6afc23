import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { problem } from '../../shared/error-codes.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route reads a multipart body itself, as a stream. */
    multipart?: boolean;
  }
}

/** Accepts multipart bodies on the routes that declare it, and on no other. */
export const takeMultipart = async (fastify: FastifyInstance): Promise<void> => {
  await fastify.register(multipart);
  fastify.addHook('preValidation', (request, _reply, done) => {
    const isTaken = request.routeOptions.config.multipart === true || !request.isMultipart();
    if (isTaken) done();
    else done(problem('unsupported_media_type'));
  });
};
