import { Readable } from 'node:stream';
import { Controller, Delete, Get, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsIn, registerDecorator, type ValidationArguments } from 'class-validator';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { OneOf } from '#platform';
import { Allow, CurrentCaller } from '../../auth/authenticate.js';
import type { Caller } from '../../auth/key-verifier.js';
import type { Answer } from '../../shared/answer.js';
import {
  type ChangeRequest,
  Idempotent,
  type Origin,
  RequestOrigin,
  TakesIdempotencyKey,
} from '../../shared/change-request.js';
import { Answers } from '../../shared/docs.js';
import { merchantIdPipe } from '../../shared/id.pipe.js';
import { CallsProvider } from '../../shared/provider-share.js';
import { DOCUMENT_KINDS } from '../merchant-answer.js';
import { AT_COMPANY, AT_PROVIDER } from '../routes.js';
import { Documents } from './documents.js';
import { DocumentsAnswer, UploadedAnswer } from './documents-answer.js';

const PERSON_ID = /^pers_[A-Za-z0-9]{24}$/;

/**
 * Declares a field that is required for the kind `identity_card` and refused for any other kind.
 */
const IsCardHolder = (): PropertyDecorator => (target, property) =>
  registerDecorator({
    name: 'isCardHolder',
    target: target.constructor,
    propertyName: String(property),
    options: {
      message: 'personId must be a pers_ id, and is accepted only with the kind identity_card',
    },
    validator: {
      validate: (value: unknown, { object }: ValidationArguments) =>
        (object as UploadQuery).kind === 'identity_card'
          ? typeof value === 'string' && PERSON_ID.test(value)
          : value === undefined,
    },
  });

class UploadQuery {
  @OneOf(DOCUMENT_KINDS)
  @IsIn(DOCUMENT_KINDS)
  kind!: (typeof DOCUMENT_KINDS)[number];

  @ApiPropertyOptional({
    description:
      'The id of the person to whom the identity card belongs, `pers_…`; only with the kind `identity_card`.',
  })
  @IsCardHolder()
  personId?: string;
}

/**
 * The media types with which a downloaded document may be returned; a document of any other type is
 * returned as `application/octet-stream`.
 */
const MEDIA_TYPES: ReadonlySet<string> = new Set(['application/pdf', 'image/jpeg', 'image/png']);

const FILES = {
  schema: {
    type: 'object',
    required: ['file'],
    properties: {
      file: {
        type: 'array',
        items: { type: 'string', format: 'binary' },
        description: 'At most 10 MiB each. An identity card has two files: front and back.',
      },
      meta: {
        type: 'object',
        required: ['issuedOn', 'expiresOn', 'number'],
        description: 'Details of an identity card, as JSON.',
        properties: {
          issuedOn: {
            type: 'string',
            format: 'date',
            description: 'The day on which the identity card was issued.',
            example: '2021-04-30',
          },
          expiresOn: {
            type: 'string',
            format: 'date',
            description: 'The last day on which the identity card is valid.',
            example: '2031-04-29',
          },
          number: {
            type: 'string',
            minLength: 1,
            maxLength: 64,
            description: 'The number printed on the identity card, 1 to 64 characters.',
            example: 'X4RTBPFW4',
          },
        },
      },
    },
  },
};

const UPLOAD_ERRORS = [
  'malformed_request',
  'validation_failed',
  'unsupported_media_type',
  'merchant_not_found',
  'merchant_not_registered',
  'document_not_expected',
  'document_empty',
  'unsupported_document_type',
  'document_too_large',
  'upload_too_slow',
  'too_many_documents',
  'busy',
  ...AT_PROVIDER,
] as const;

const MULTIPART = { multipart: true } as const;

@ApiTags('Merchants')
@Controller('v1/merchants/:id/documents')
export class DocumentsController {
  constructor(private readonly documents: Documents) {}

  @Get()
  @CallsProvider()
  @Allow('merchants:read')
  @ApiOperation({ summary: 'List a merchant’s documents' })
  @Answers(
    {
      type: DocumentsAnswer,
      description: 'The expected documents, and those that the provider has.',
    },
    ...AT_COMPANY,
  )
  listDocuments(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<DocumentsAnswer> {
    return this.documents.list(caller, id);
  }

  @Post()
  @Allow('merchants:write', MULTIPART)
  @TakesIdempotencyKey()
  @ApiConsumes('multipart/form-data')
  @ApiBody(FILES)
  @ApiOperation({
    summary: 'Send a document',
    description:
      'Streamed to the provider while it arrives, and never stored here. PDF, JPEG or PNG by ' +
      'its content; `bank_account_proof` only PDF. The Idempotency-Key identifies the document: ' +
      'not its bytes; ' +
      'at the provider the file’s name begins with a mark of the key, by which a repetition ' +
      'finds a document that was sent already, for as long as the provider has it. Another ' +
      'document, e.g. a better scan, needs a new key.',
  })
  @Answers(
    { status: 201, type: UploadedAnswer, description: 'Added at the provider.' },
    'idempotency_key_missing',
    'request_in_progress',
    'idempotency_key_reused',
    ...UPLOAD_ERRORS,
  )
  addDocument(
    @Param('id', merchantIdPipe) merchantId: string,
    @Query() { kind, personId }: UploadQuery,
    @Idempotent() request: ChangeRequest,
    @Req() body: FastifyRequest,
  ): Promise<Answer<UploadedAnswer>> {
    const upload = { merchantId, kind, personId: personId ?? null };
    return this.documents.add(request, upload, body);
  }

  @Put()
  @Allow('merchants:write', MULTIPART)
  @ApiConsumes('multipart/form-data')
  @ApiBody(FILES)
  @ApiOperation({
    summary: 'Replace a document',
    description: 'Replaces all documents of this kind and person. Safe to repeat.',
  })
  @Answers({ type: UploadedAnswer, description: 'Replaced at the provider.' }, ...UPLOAD_ERRORS)
  replaceDocument(
    @Param('id', merchantIdPipe) merchantId: string,
    @Query() { kind, personId }: UploadQuery,
    @RequestOrigin() origin: Origin,
    @Req() body: FastifyRequest,
  ): Promise<UploadedAnswer> {
    const upload = { merchantId, kind, personId: personId ?? null };
    return this.documents.replace(origin, upload, body);
  }

  @Get(':documentId')
  @Allow('merchants:details')
  @ApiOperation({
    summary: 'Read a document',
    description: 'Possible until the contract is signed.',
  })
  @Answers(
    { mediaType: [...MEDIA_TYPES, 'application/octet-stream'], description: 'The file.' },
    ...AT_COMPANY,
    'document_not_found',
    'too_many_documents',
  )
  async readDocument(
    @Param('id', merchantIdPipe) id: string,
    @Param('documentId') documentId: string,
    @CurrentCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { mediaType, content } = await this.documents.read(caller, id, documentId, reply);
    await reply
      .headers({
        'x-content-type-options': 'nosniff',
        'content-disposition': 'attachment',
      })
      .type(MEDIA_TYPES.has(mediaType) ? mediaType : 'application/octet-stream')
      .send(Readable.from(content, { objectMode: false }));
  }

  @Delete(':documentId')
  @CallsProvider()
  @Allow('merchants:write')
  @ApiOperation({
    summary: 'Remove a document',
    description: 'Possible until the contract is signed.',
  })
  @Answers(
    { status: 204, description: 'The document is removed.' },
    'busy',
    ...AT_COMPANY,
    'document_not_found',
  )
  removeDocument(
    @Param('id', merchantIdPipe) id: string,
    @Param('documentId') documentId: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    return this.documents.remove(origin, id, documentId);
  }
}
