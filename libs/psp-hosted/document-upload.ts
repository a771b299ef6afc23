import { Readable } from 'node:stream';
import { randomText, Rejection } from '#kernel';
import { type DocumentUpload, MAX_DOCUMENT_BYTES } from '#psp';
import { wireMetaOf } from './onboarding-details.js';
import type { UploadContent } from './provider-request.js';

const SIGNATURES: readonly (readonly [mediaType: string, signature: Buffer])[] = [
  ['application/pdf', Buffer.from('%PDF-', 'latin1')],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
];
const HEAD_BYTES = 8;

const refused = (code: string, message: string): Rejection =>
  new Rejection(code, message, { field: 'file' });

const mediaTypeOf = (head: Buffer): string => {
  if (head.length === 0)
    throw refused('document_empty', 'the file is empty: send it with its content');
  const found = SIGNATURES.find(([, signature]) =>
    head.subarray(0, signature.length).equals(signature),
  );
  if (found) return found[0];
  throw refused('unsupported_document_type', 'the file is not PDF, JPEG or PNG: send one of these');
};

/**
 * The content in chunks; the first chunk is long enough to detect the file's type. Rejects a file
 * that is too large.
 */
async function* pieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let [head, size, hasBegun] = [Buffer.alloc(0), 0, false];
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > MAX_DOCUMENT_BYTES) {
      throw refused('document_too_large', 'the file is larger than 10 MiB: send a smaller one');
    }
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (hasBegun) {
      yield bytes;
    } else {
      head = Buffer.concat([head, bytes]);
      hasBegun = head.length >= HEAD_BYTES;
      if (hasBegun) yield head;
    }
  }
  if (!hasBegun) yield head;
}

/** The file name without the characters that could end the header that contains it. */
const quoted = (name: string): string =>
  name.replace(/[\r\n"\\]|\p{C}/gu, '_').slice(0, 200) || 'document';

const partHead = (boundary: string, part: string, name: string, mediaType: string): Buffer =>
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="${name}"\r\n` +
      `Content-Type: ${mediaType}\r\n\r\n`,
  );

const END_OF_PART = Buffer.from('\r\n');

async function* multipart(
  { files, meta }: DocumentUpload,
  boundary: string,
): AsyncGenerator<Buffer> {
  for await (const { name, content } of files) {
    let hasHead = false;
    for await (const piece of pieces(content)) {
      if (!hasHead) yield partHead(boundary, 'file', quoted(name), mediaTypeOf(piece));
      hasHead = true;
      yield piece;
    }
    yield END_OF_PART;
  }
  const about = meta?.() ?? null;
  if (about !== null) {
    yield partHead(boundary, 'meta', 'meta.json', 'application/json');
    yield Buffer.from(`${JSON.stringify(wireMetaOf(about))}\r\n`);
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

/**
 * A multipart body that is generated while it is sent, so that one chunk at a time is in memory.
 * Forbidden content (`Rejection` `document_empty`, `unsupported_document_type`,
 * `document_too_large`, each with its field) aborts the request before the end of the body, and
 * then the provider stores nothing.
 */
export const uploadContent = (upload: DocumentUpload): UploadContent => {
  const boundary = `part-${randomText(24)}`;
  let broken: Error | null = null;
  const watched = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* multipart(upload, boundary);
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      throw broken;
    }
  };
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Readable.from(watched(), { objectMode: false, highWaterMark: 64 * 1_024 }),
    brokenBy: () => broken,
  };
};
