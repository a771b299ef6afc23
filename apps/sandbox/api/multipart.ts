import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { PartnerError } from './partner/partner-error.js';

/**
 * Why the parser rejects a multipart body: its format, a field of invalid JSON, the name of a part,
 * or too many files or fields.
 */
export type MultipartFault = 'malformed' | 'json' | 'name' | 'files' | 'fields';

/** The fault for each error code of the parser. */
const FAULTS: ReadonlyMap<unknown, MultipartFault> = new Map([
  ['FST_INVALID_JSON_FIELD_ERROR', 'json'],
  ['FST_PROTO_VIOLATION', 'name'],
  ['FST_PARTS_LIMIT', 'files'],
  ['FST_FILES_LIMIT', 'files'],
  ['FST_FIELDS_LIMIT', 'fields'],
  ['FST_INVALID_MULTIPART_CONTENT_TYPE', 'malformed'],
  ['FST_MP_PREMATURE_CLOSE', 'malformed'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'malformed'],
]);

/** The parser's errors about the format of a body have no code, only a message. */
const MALFORMED = /multipart|terminated early|boundary|header/i;

const faultOf = (error: unknown): MultipartFault | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ApiError || error instanceof PartnerError) return undefined;
  if ('code' in error) return FAULTS.get(error.code);
  return MALFORMED.test(error.message) ? 'malformed' : undefined;
};

/**
 * After a rejection, the rest of the body is read and discarded up to this size; a larger rest
 * closes the connection.
 */
const MAX_DRAINED_BYTES = 32 * 1_024 * 1_024;

/** Reads the rest of the request, so that the client receives the rejection. */
const drain = async ({ raw }: FastifyRequest): Promise<void> => {
  raw.unpipe();
  let drained = 0;
  try {
    for await (const bytes of raw as AsyncIterable<Buffer>) {
      drained += bytes.length;
      if (drained > MAX_DRAINED_BYTES) return;
    }
  } catch {
    // The client has closed the connection.
  }
};

/**
 * Passes each part of a multipart body to `read`, in order. When the parser rejects the body,
 * throws the error that `refusals` returns for the fault.
 */
export const readParts = async (
  request: FastifyRequest,
  limits: NonNullable<Parameters<FastifyRequest['parts']>[0]>['limits'],
  refusals: Readonly<Record<MultipartFault, () => Error>>,
  read: (part: Multipart) => Promise<void>,
): Promise<void> => {
  try {
    for await (const part of request.parts({ limits })) await read(part);
  } catch (error) {
    await drain(request);
    const fault = faultOf(error);
    throw fault === undefined ? error : refusals[fault]();
  }
};
