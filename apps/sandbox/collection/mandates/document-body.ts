import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../api/api-error.js';

const MAX_DOCUMENT_BYTES = 10 * 1_024 * 1_024;
/**
 * An internal media type that only upload requests get, so that no other body is read as raw bytes.
 */
const DOCUMENT_TYPE = 'application/x-mandate-document';

const tokenOf = ({ params }: FastifyRequest): string =>
  String((params as Readonly<Record<string, unknown>>)['token']);

/**
 * Maximum number of uploads in memory at a time, because each may have 10 MiB; further uploads
 * wait.
 */
const MAX_AT_ONCE = 4;

/** Limits concurrent uploads; waiting uploads start in order of arrival. */
class Gate {
  private free = MAX_AT_ONCE;
  private readonly waiting: (() => void)[] = [];

  async through<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((enter) => this.waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}

const tooLarge = (): ApiError => new ApiError(413, { error: 'The body is too large' });

const readDocument = async (
  { headers }: FastifyRequest,
  body: AsyncIterable<Buffer>,
): Promise<Buffer> => {
  if (Number(headers['content-length'] ?? 0) > MAX_DOCUMENT_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_DOCUMENT_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Reads uploaded documents as bytes: the declared media type is ignored, and the content is checked
 * instead. A document above 10 MiB is rejected with 413. `expect` throws when no mandate has the
 * token; the body is then not read.
 */
export const takeDocuments = (
  fastify: FastifyInstance,
  expect: (token: string) => Promise<void>,
): void => {
  const gate = new Gate();
  fastify.addHook('onRequest', ({ method, routeOptions, raw }, _reply, done) => {
    if (method === 'POST' && routeOptions.url?.startsWith('/mandate-documents/') === true) {
      raw.headers['content-type'] = DOCUMENT_TYPE;
    }
    done();
  });
  const take = async (request: FastifyRequest, body: AsyncIterable<Buffer>): Promise<Buffer> => {
    await expect(tokenOf(request));
    return gate.through(() => readDocument(request, body));
  };
  fastify.addContentTypeParser(DOCUMENT_TYPE, take);
};
