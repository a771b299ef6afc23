import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { jsonPointer, Problem, refuseUnwantedText } from '#platform';
import {
  type DocumentFile,
  type DocumentUpload,
  type IdentityMeta,
  MAX_DOCUMENT_BYTES,
} from '#psp';
import { problem } from '../../shared/error-codes.js';
import type { UploadPace } from './upload-pace.js';

/**
 * The maximum number of files in one upload; the provider limits how many files a document may
 * have.
 */
const MAX_FILES = 10;
const MAX_META_BYTES = 4_096;
/**
 * The maximum number of bytes read and discarded after a refusal; beyond it, the connection is
 * closed.
 */
const MAX_DRAINED_BYTES = 32 * 1_024 * 1_024;

/**
 * The parser's limits are one above ours, so that our check reports the excess before the parser
 * cuts the content.
 */
const LIMITS = {
  fileSize: MAX_DOCUMENT_BYTES + 1,
  files: MAX_FILES + 1,
  fields: 2,
  parts: MAX_FILES + 3,
  fieldSize: MAX_META_BYTES + 1,
  headerPairs: 40,
};

const refused = (part: string, detail: string): Problem =>
  problem('validation_failed', {
    detail: 'some parts of the body are invalid: errors lists each of them',
    errors: [{ detail, pointer: jsonPointer(part.split('.')) }],
  });

const DAY = /^\d{4}-\d\d-\d\d$/;

const metaField = (meta: Readonly<Record<string, unknown>>, name: string, form: RegExp): string => {
  const value = meta[name];
  if (typeof value === 'string' && form.test(value)) return value;
  throw refused(
    `meta.${name}`,
    form === DAY ? 'must be a day, as YYYY-MM-DD' : 'must be 1 to 64 characters',
  );
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw refused('meta', 'must be JSON');
  }
};

const metaOf = (meta: unknown): IdentityMeta => {
  if (typeof meta !== 'object' || meta === null) throw refused('meta', 'must be an object');
  const fields = meta as Readonly<Record<string, unknown>>;
  const number = metaField(fields, 'number', /^(?=.*\S).{1,64}$/u);
  refuseUnwantedText(number, jsonPointer(['meta', 'number']));
  return {
    issuedOn: metaField(fields, 'issuedOn', DAY),
    expiresOn: metaField(fields, 'expiresOn', DAY),
    number,
  };
};

const readText = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const bytes of stream) {
    size += bytes.length;
    if (size > MAX_META_BYTES) throw refused('meta', `has more than ${MAX_META_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/**
 * Reads the JSON part `meta`. A part declared as JSON was parsed by the multipart parser; a file or
 * plain text is parsed here.
 */
const readMeta = async (part: Multipart, pace: UploadPace): Promise<IdentityMeta> => {
  if (part.type === 'file') return metaOf(parsed(await readText(pace.keep(part.file))));
  const isParsed = part.mimetype === 'application/json';
  return metaOf(isParsed ? part.value : parsed(String(part.value)));
};

/** The parser's errors by code, with the part and the detail of our response. */
const PARSER_REFUSALS: ReadonlyMap<unknown, readonly [part: string, detail: string]> = new Map([
  ['FST_INVALID_JSON_FIELD_ERROR', ['meta', 'must be JSON']],
  ['FST_PROTO_VIOLATION', ['file', 'has a name that is not accepted']],
  ['FST_PARTS_LIMIT', ['file', `is accepted at most ${MAX_FILES} times in one upload`]],
  ['FST_FILES_LIMIT', ['file', `is accepted at most ${MAX_FILES} times in one upload`]],
  ['FST_FIELDS_LIMIT', ['meta', 'is taken once']],
  ['FST_MP_PREMATURE_CLOSE', ['file', 'the multipart body is malformed']],
  ['ERR_STREAM_PREMATURE_CLOSE', ['file', 'the multipart body is malformed']],
] as const);

/**
 * Whether the error has one of the messages that the parser has for bodies that are not multipart.
 */
const isBroken = (error: Error): boolean =>
  /multipart|terminated early|boundary|header/i.test(error.message) && !('code' in error);

/** Maps an error of the multipart parser to a `Problem`; returns any other error unchanged. */
export const asPartProblem = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof Problem) return error;
  if (isBroken(error)) return refused('file', 'the multipart body is malformed');
  const refusal = 'code' in error ? PARSER_REFUSALS.get(error.code) : undefined;
  return refusal === undefined ? error : refused(...refusal);
};

/**
 * Reads and discards the rest of the upload, so that the client receives the refusal. Resolves at
 * the end of the body or of the connection, or when the sender is too slow.
 */
export const drain = ({ raw }: FastifyRequest, pace: UploadPace): Promise<void> =>
  new Promise((resolve) => {
    let drained = 0;
    const end = (): void => {
      raw.off('data', take);
      resolve();
    };
    const take = (bytes: Buffer): void => {
      drained += bytes.length;
      if (drained > MAX_DRAINED_BYTES) raw.destroy();
    };
    if (raw.readableEnded || raw.destroyed) return resolve();
    raw.unpipe();
    raw.once('end', end).once('close', end).once('error', end).on('data', take).resume();
    pace.onTooSlow(end);
  });

/**
 * Converts a multipart request into an upload to the provider; the request is read while the upload
 * is sent. The parts are one or more named `file`, and `meta` before or after them. `mark` is the
 * prefix of the file names. Throws `Problem` 415 for a body of another type; the upload throws 422
 * for an invalid part.
 */
export const uploadOf = (
  request: FastifyRequest,
  isCard: boolean,
  pace: UploadPace,
  mark = '',
): DocumentUpload => {
  if (!request.isMultipart()) {
    throw problem('unsupported_media_type', { detail: 'send the body as multipart/form-data' });
  }
  let meta: IdentityMeta | null = null;
  const files = async function* (): AsyncGenerator<DocumentFile> {
    let count = 0;
    for await (const part of pace.keep(request.parts({ limits: LIMITS }))) {
      if (part.fieldname === 'meta') {
        if (!isCard) throw refused('meta', 'is accepted for identity cards only');
        if (meta !== null) throw refused('meta', 'is taken once');
        meta = await readMeta(part, pace);
      } else if (part.fieldname === 'file' && part.type === 'file') {
        count += 1;
        if (count > MAX_FILES) throw refused('file', `is accepted at most ${MAX_FILES} times`);
        refuseUnwantedText(part.filename, jsonPointer(['file']));
        const content = pace.keep(part.file as AsyncIterable<Uint8Array>);
        yield { name: `${mark}${part.filename}`, content };
      } else {
        throw refused(part.fieldname, 'is not a part of this request');
      }
    }
    if (count === 0) throw refused('file', 'is missing');
    if (isCard && meta === null) throw refused('meta', 'is missing');
  };
  return { files: files(), meta: () => meta };
};
