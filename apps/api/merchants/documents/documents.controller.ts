import { Readable } from 'node:stream';
import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
} from '@nestjs/swagger';
import { IsIn, registerDecorator, type ValidationArguments } from 'class-validator';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Allow, CurrentCaller } from '../../auth/authenticate.js';
import type { Caller } from '../../auth/key-verifier.js';
import { Answers } from '../../shared/docs.js';
import { merchantIdPipe } from '../../shared/id.pipe.js';
import {
  Idempotent,
  type IdempotentRequest,
  TakesIdempotencyKey,
} from '../../shared/idempotency-key.js';
import { send } from '../../shared/idempotency.js';
import { type Origin, RequestOrigin } from '../../shared/origin.js';
import { DOCUMENT_KINDS } from '../merchant-answer.js';
import { AT_PROVIDER } from '../routes.js';
import { Documents } from './documents.js';
import { DocumentsAnswer, UploadedAnswer } from './documents-answer.js';

const PERSON_ID = /^pers_[A-Za-z0-9]{24}$/;

/** With `identity_card`, and with nothing else. */
const IsCardHolder = (): PropertyDecorator => (target, property) =>
  registerDecorator({
    name: 'isCardHolder',
    target: target.constructor,
    propertyName: String(property),
    options: { message: 'personId is a pers_ id, with the kind identity_card only' },
    validator: {
      validate: (value: unknown, { object }: ValidationArguments) =>
        (object as UploadQuery).kind === 'identity_card'
          ? typeof value === 'string' && PERSON_ID.test(value)
          : value === undefined,
    },
  });

class UploadQuery {
  @ApiProperty({ enum: DOCUMENT_KINDS })
  @IsIn(DOCUMENT_KINDS)
  kind!: (typeof DOCUMENT_KINDS)[number];

  @ApiPropertyOptional({ description: 'With `identity_card` only: whose.' })
  @IsCardHolder()
  personId?: string;
}

/** What a browser or a viewer may be told that it is; anything else is a file of bytes. */
const MEDIA_TYPES: ReadonlySet<string> = new Set(['application/pdf', 'image/jpeg', 'image/png']);

const FILES = {
  schema: {
    type: 'object',
    required: ['file'],
    properties: {
      file: {
        type: 'array',
        items: { type: 'string', format: 'binary' },
        description: 'At most 10 MiB each. An identity card has two: front and back.',
      },
      meta: {
        type: 'object',
        required: ['issuedOn', 'expiresOn', 'number'],
        description: 'Of an identity card, as JSON.',
        properties: {
          issuedOn: { type: 'string', format: 'date' },
          expiresOn: { type: 'string', format: 'date' },
          number: { type: 'string', minLength: 1, maxLength: 64 },
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
  'document_type',
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
  @Allow('merchants:read')
  @ApiOperation({ summary: 'List a merchant’s documents', operationId: 'listDocuments' })
  @Answers(
    { status: 200, type: DocumentsAnswer, description: 'What is expected, and what is there.' },
    'merchant_not_found',
    'merchant_not_registered',
    ...AT_PROVIDER,
  )
  list(
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
    operationId: 'addDocument',
    description:
      'Passed on to the provider while it arrives, and kept nowhere here. PDF, JPEG or PNG by ' +
      'its content; `bank_account_proof` only PDF. The Idempotency-Key stands for the document, ' +
      'not its bytes; ' +
      'the provider shows the file’s name with a mark of it before, by which a repetition finds ' +
      'what was sent already. So it is remembered for as long as the document is there: another ' +
      'document, e.g. a better scan, needs a new key.',
  })
  @Answers(
    { status: 201, type: UploadedAnswer, description: 'The provider has it, beside the others.' },
    'idempotency_key_missing',
    'request_in_flight',
    'idempotency_key_reused',
    ...UPLOAD_ERRORS,
  )
  async add(
    @Param('id', merchantIdPipe) merchantId: string,
    @Query() { kind, personId }: UploadQuery,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Req() body: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadedAnswer> {
    const upload = { caller, merchantId, kind, personId: personId ?? null, origin };
    return send(reply, await this.documents.add(upload, body, request));
  }

  @Put()
  @Allow('merchants:write', MULTIPART)
  @ApiConsumes('multipart/form-data')
  @ApiBody(FILES)
  @ApiOperation({
    summary: 'Replace a document',
    operationId: 'replaceDocument',
    description: 'Takes the place of all of this kind and person. May be repeated.',
  })
  @Answers(
    { status: 200, type: UploadedAnswer, description: 'The provider has it, and no other.' },
    ...UPLOAD_ERRORS,
  )
  replace(
    @Param('id', merchantIdPipe) merchantId: string,
    @Query() { kind, personId }: UploadQuery,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
    @Req() body: FastifyRequest,
  ): Promise<UploadedAnswer> {
    const upload = { caller, merchantId, kind, personId: personId ?? null, origin };
    return this.documents.replace(upload, body);
  }

  @Get(':documentId')
  @Allow('merchants:details')
  @ApiOperation({
    summary: 'Read a document',
    operationId: 'readDocument',
    description: 'Until the contract is signed.',
  })
  @Answers(
    { status: 200, mediaType: 'application/octet-stream', description: 'The file.' },
    'merchant_not_found',
    'merchant_not_registered',
    'document_not_found',
    'too_many_documents',
    ...AT_PROVIDER,
  )
  async read(
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
  @HttpCode(204)
  @Allow('merchants:write')
  @ApiOperation({
    summary: 'Remove a document',
    operationId: 'removeDocument',
    description: 'Until the contract is signed.',
  })
  @Answers(
    { status: 204, description: 'It is gone.' },
    'merchant_not_found',
    'merchant_not_registered',
    'document_not_found',
    'busy',
    ...AT_PROVIDER,
  )
  remove(
    @Param('id', merchantIdPipe) id: string,
    @Param('documentId') documentId: string,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    return this.documents.remove(caller, id, documentId, origin);
  }
}
