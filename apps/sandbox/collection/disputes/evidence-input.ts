import { createHash } from 'node:crypto';
import type { MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../../api/api-error.js';
import { described, input, listOf, shape } from '../../api/answers.js';
import { checkedBody } from '../../api/checked.js';
import { type MultipartFault, readParts } from '../../api/multipart.js';
import { optionalText } from '../../api/values.js';
import type { Evidence, EvidenceFile } from './evidence-row.js';

const MAX_FILES = 5;
const MAX_FILE_BYTES = 5 * 1_024 * 1_024;
const MAX_TEXT = 20_000;

const FILE = input(
  {
    name: shape<string>({
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'The name of the file.',
    }),
    type: shape<string | null>({
      type: ['string', 'null'],
      maxLength: 100,
      description: 'The media type of the file.',
    }),
    content: shape<string>({
      type: 'string',
      minLength: 4,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: 'Base64.',
    }),
  },
  ['name', 'content'],
);

/** `POST /v2/disputes/{id}/evidence`: a text, files, or both. */
export const evidenceBody = checkedBody(
  {
    ...input({
      text: described('The merchant’s statement.', optionalText(1, MAX_TEXT).in),
      files: described('Files as evidence.', { ...listOf(FILE), maxItems: MAX_FILES }),
    }),
    minProperties: 1,
  },
  ['files'],
);

const fileOf = (name: string, type: string | null, bytes: Buffer): EvidenceFile => ({
  name,
  type,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/**
 * Returns the evidence, which has a text, a file or both; throws `ApiError` 422 when it has
 * neither.
 */
const some = (evidence: Evidence): Evidence => {
  if (evidence.text !== null || evidence.files.length > 0) return evidence;
  throw invalid({
    loc: ['body', 'text'],
    msg: 'Field required: a text or a file',
    type: 'missing',
  });
};

/** Reads the evidence from a JSON body. Throws `ApiError` 422. */
export const readEvidence = (body: unknown): Evidence => {
  const { text = null, files = [] } = evidenceBody.read(body ?? {});
  return some({
    text,
    files: files.map(({ name, type, content }) =>
      fileOf(name, type ?? null, Buffer.from(content, 'base64')),
    ),
  });
};

const tooMuch = (): ApiError =>
  new ApiError(413, {
    error: `Evidence may have at most ${MAX_FILES} files of at most 5 MiB each`,
  });

const unknownField = (...name: readonly string[]): ApiError =>
  invalid({
    loc: ['body', ...name],
    msg: 'Extra inputs are not permitted',
    type: 'extra_forbidden',
  });

/** The API error for each fault that the parser finds. */
const REFUSALS = {
  malformed: () =>
    invalid({ loc: ['body'], msg: 'The multipart body is malformed', type: 'form_invalid' }),
  json: () =>
    invalid({ loc: ['body'], msg: 'A field of the form is not valid JSON', type: 'json_invalid' }),
  name: () => unknownField(),
  files: tooMuch,
  fields: () => unknownField(),
} satisfies Record<MultipartFault, () => ApiError>;

/** The field's text. Throws `ApiError` 422 when it is no text, or longer than any field may be. */
const textOf = ({ fieldname, value, valueTruncated }: MultipartValue): string => {
  const loc = ['body', fieldname];
  if (valueTruncated) {
    const msg = `Input must NOT have more than ${MAX_TEXT} characters`;
    throw invalid({ loc, msg, type: 'string_too_long' });
  }
  if (typeof value === 'string') return value;
  throw invalid({ loc, msg: 'Input must be string', type: 'string_type' });
};

/**
 * Reads the evidence from a multipart form: `text` and any file parts. The other fields that the
 * form may have, such as a token, are returned separately. Throws `ApiError` 413 or 422.
 */
export const readEvidenceForm = async (
  request: FastifyRequest,
  others: readonly string[] = [],
): Promise<Evidence & { readonly fields: ReadonlyMap<string, string> }> => {
  const fields = new Map<string, string>();
  const files: EvidenceFile[] = [];
  const limits = {
    files: MAX_FILES,
    fileSize: MAX_FILE_BYTES,
    fields: 5,
    // A character has at most four bytes.
    fieldSize: 4 * MAX_TEXT,
  };
  await readParts(request, limits, REFUSALS, async (part) => {
    if (part.type === 'file') {
      const bytes = await part.toBuffer();
      if (part.file.truncated) throw tooMuch();
      // Browsers send an empty part for a file field without a file.
      if (bytes.length > 0) files.push(fileOf(part.filename, part.mimetype, bytes));
    } else if (['text', ...others].includes(part.fieldname) && !fields.has(part.fieldname)) {
      fields.set(part.fieldname, textOf(part));
    } else {
      throw unknownField(part.fieldname);
    }
  });
  const text = fields.get('text')?.trim() || null;
  evidenceBody.read({
    text,
    files: files.map(({ name, type }) => ({ name, type, content: 'AAAA' })),
  });
  return { ...some({ text, files }), fields };
};
