import { Readable } from 'node:stream';
import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PartnerAddresses } from '../../api/partner/partner-addresses.js';
import { PartnerError, partnerNotFound } from '../../api/partner/partner-error.js';
import type { PartnerScope } from '../../api/partner/partner-keys.js';
import { Partner } from '../../api/partner/partner-scope.js';
import { companyQuery } from '../companies/company-request.js';
import { isFinalized } from '../companies/company-status.js';
import { CompanyStore } from '../companies/company-store.js';
import { uploadsView } from '../companies/document-view.js';
import { DocumentStore } from './document-store.js';
import { documentQuery } from './document-wire.js';
import { type UploadResult, UploadsService } from './uploads.service.js';

const closedToReaders = (): PartnerError =>
  new PartnerError(403, 'not-allowed', 'registration is finalized: files can no longer be read');

/** Documents in the onboarding API. See docs/provider/onboarding.md#documents. */
@Controller('api/partners')
export class DocumentsController {
  constructor(
    @Inject(UploadsService) private readonly uploads: UploadsService,
    @Inject(DocumentStore) private readonly documents: DocumentStore,
    @Inject(CompanyStore) private readonly companies: CompanyStore,
    @Inject(PartnerAddresses) private readonly addresses: PartnerAddresses,
  ) {}

  @Get('document-upload-url')
  async uploadUrls(@Partner() scope: PartnerScope, @Query() query: unknown): Promise<object> {
    const company = await this.companies.read(scope, companyQuery.read(query).company);
    return uploadsView(company, this.addresses.partnersUrl);
  }

  @Post('document/:token')
  @HttpCode(200)
  add(@Param('token') token: string, @Req() request: FastifyRequest): Promise<UploadResult> {
    return this.uploads.receive(token, request, false);
  }

  @Patch('document/:token')
  replace(@Param('token') token: string, @Req() request: FastifyRequest): Promise<UploadResult> {
    return this.uploads.receive(token, request, true);
  }

  @Get('document')
  async read(
    @Partner() scope: PartnerScope,
    @Query() query: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { company: companyId, document: documentId } = documentQuery.read(query);
    const company = await this.companies.read(scope, companyId);
    const document = company.documents.find(({ id }) => id === documentId);
    if (document === undefined) throw partnerNotFound('document', documentId);
    if (isFinalized(company.status)) throw closedToReaders();
    void reply
      .header('content-type', document.media_type)
      .header('content-length', document.size_bytes)
      .header(
        'content-disposition',
        `attachment; filename*=UTF-8''${encodeURIComponent(document.name)}`,
      )
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .send(Readable.from(this.documents.content(document), { objectMode: false }));
  }

  @Delete('document')
  async remove(@Partner() scope: PartnerScope, @Query() query: unknown): Promise<object> {
    const { company, document } = documentQuery.read(query);
    await this.uploads.remove(scope, company, document);
    return { deleted: true, id: document };
  }
}
