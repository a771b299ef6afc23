import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

const MAX_DOCUMENT_BYTES = 10 * 1_024 * 1_024;
/** No type that anybody sends: only the upload's requests are read as bytes. */
const DOCUMENT_TYPE = 'application/x-mandate-document';

/** Senders name all kinds of types, or none: what counts is what the document is. */
@Injectable()
export class DocumentBodyMiddleware implements NestMiddleware {
  use(request: IncomingMessage, _response: ServerResponse, next: () => void): void {
    request.headers['content-type'] = DOCUMENT_TYPE;
    next();
  }
}

/** Takes documents as bytes; one above 10 MiB is a 413. */
export const takeDocuments = (fastify: FastifyInstance): void => {
  fastify.addContentTypeParser(
    DOCUMENT_TYPE,
    { parseAs: 'buffer', bodyLimit: MAX_DOCUMENT_BYTES },
    (_request, body, done) => done(null, body),
  );
};
