import type { FastifyRequest } from 'fastify';
import { newId } from '#kernel';
import { type MultipartFault, readParts } from '../../api/multipart.js';
import {
  invalidFields,
  PartnerError,
  tooLarge,
  wrongMediaType,
} from '../../api/partner/partner-error.js';
import { mediaTypeOf, type MediaType } from './media-type.js';

export const MAX_FILE_BYTES = 10 * 1_024 * 1_024;
/** Maximum number of files per upload. */
export const MAX_FILES = 10;
const MAX_META_BYTES = 4_096;
const CHUNK_BYTES = 256 * 1_024;

/**
 * The parser's limits. They are a little higher than the API's, so that this code detects what
 * exceeds the API's limits and names the field. `meta` may be sent as a file.
 */
const LIMITS = {
  fileSize: MAX_FILE_BYTES + 1,
  files: MAX_FILES + 3,
  fields: 3,
  parts: MAX_FILES + 5,
  fieldSize: MAX_META_BYTES + 1,
  headerPairs: 40,
};

/** What an upload URL accepts: the media types and the number of files. */
export interface Taken {
  readonly types: readonly MediaType[];
  /** Maximum number of files per upload. */
  readonly files: number;
}

/** A received file; its content is already stored. */
export interface ArrivedFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: MediaType;
  readonly sizeBytes: number;
}

export interface ArrivedUpload {
  readonly files: readonly ArrivedFile[];
  /** The parsed part `meta`; undefined without one. */
  readonly meta: unknown;
}

/** Receives the content, chunk by chunk. */
export interface ChunkSink {
  addChunk(documentId: string, n: number, bytes: Buffer): Promise<void>;
}

/** The file name; a placeholder when the upload has no name or the name cannot be displayed. */
const nameOf = (filename: string | undefined): string => {
  const last = (filename ?? '').split(/[\\/]/).at(-1) ?? '';
  const clean = last
    .replace(/[\p{C}"]/gu, '')
    .trim()
    .slice(0, 200);
  return clean === '' ? 'document' : clean;
};

const typeIn = (head: Buffer, allowed: readonly MediaType[]): MediaType => {
  const type = mediaTypeOf(head);
  if (type !== null && allowed.includes(type)) return type;
  const names = allowed.map((each) => each.split('/')[1]?.toUpperCase()).join(', ');
  throw wrongMediaType(`the content of \`file\` must be one of: ${names}`);
};

const emptyFile = (): PartnerError =>
  invalidFields({ field: 'file', message: 'must not be empty' });

/** Stores one file while it arrives: at most one chunk of it is in memory. */
const storeFile = async (
  id: string,
  stream: AsyncIterable<Buffer>,
  allowed: readonly MediaType[],
  sink: ChunkSink,
): Promise<{ readonly mediaType: MediaType; readonly sizeBytes: number }> => {
  let waiting: Buffer[] = [];
  let [waitingBytes, sizeBytes, n] = [0, 0, 0];
  let mediaType: MediaType | null = null;
  const flush = async (): Promise<void> => {
    const chunk = Buffer.concat(waiting);
    mediaType ??= typeIn(chunk, allowed);
    await sink.addChunk(id, n, chunk);
    [waiting, waitingBytes, n] = [[], 0, n + 1];
  };
  for await (const bytes of stream) {
    sizeBytes += bytes.length;
    if (sizeBytes > MAX_FILE_BYTES) {
      throw tooLarge(`\`file\` has more than ${MAX_FILE_BYTES / 1_048_576} MiB`);
    }
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes >= CHUNK_BYTES) await flush();
  }
  if (waitingBytes > 0) await flush();
  if (mediaType === null) throw emptyFile();
  return { mediaType, sizeBytes };
};

const noJson = (): PartnerError => invalidFields({ field: 'meta', message: 'must be JSON' });

const parseMeta = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw noJson();
  }
};

const readMeta = async (stream: AsyncIterable<Buffer>): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const bytes of stream) {
    size += bytes.length;
    if (size > MAX_META_BYTES) throw tooLarge(`\`meta\` has more than ${MAX_META_BYTES} bytes`);
    chunks.push(bytes);
  }
  return parseMeta(Buffer.concat(chunks).toString('utf8'));
};

const unknownPart = (name: string): PartnerError =>
  invalidFields({ field: name, message: 'is an unknown part' });

const tooManyFiles = (most: number): PartnerError =>
  invalidFields({ field: 'file', message: `is accepted at most ${most} times per upload` });

/** The API error for each fault that the parser finds. */
const REFUSALS = {
  malformed: () => invalidFields({ field: 'file', message: 'the multipart body is malformed' }),
  json: noJson,
  name: () => unknownPart('__proto__'),
  files: () => tooManyFiles(MAX_FILES),
  fields: () => invalidFields({ field: 'meta', message: 'is accepted once per upload' }),
} satisfies Record<MultipartFault, () => PartnerError>;

/**
 * Reads a multipart body and stores its files as they arrive. `begun` collects the ids of all
 * started files, for cleanup by the caller. Throws `PartnerError` 413, 415 or 422.
 */
export const readUpload = async (
  request: FastifyRequest,
  taken: Taken,
  sink: ChunkSink,
  begun: string[],
): Promise<ArrivedUpload> => {
  const files: ArrivedFile[] = [];
  let meta: unknown;
  await readParts(request, LIMITS, REFUSALS, async (part) => {
    if (part.fieldname === 'meta') {
      meta =
        part.type === 'file'
          ? await readMeta(part.file)
          : typeof part.value === 'string'
            ? parseMeta(part.value)
            : part.value;
    } else if (part.fieldname === 'file' && part.type === 'file') {
      if (begun.length >= taken.files) throw tooManyFiles(taken.files);
      const id = newId('dcmt');
      begun.push(id);
      const stored = await storeFile(id, part.file, taken.types, sink);
      files.push({ id, name: nameOf(part.filename), ...stored });
    } else {
      throw unknownPart(part.fieldname);
    }
  });
  return { files, meta };
};
