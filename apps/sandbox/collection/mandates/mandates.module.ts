import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { DueWork } from '../../clock/due-work.js';
import { SepaModule } from '../sepa/sepa.module.js';
import { takeDocuments } from './document-body.js';
import { DueCodes } from './due-codes.js';
import { MandateAddressesController } from './mandate-addresses.controller.js';
import { MandateDocuments } from './mandate-documents.js';
import { MandatesController } from './mandates.controller.js';
import { Mandates } from './mandates.service.js';
import { SigningCodes } from './signing-codes.js';

/** Mandates: imported by merchants, or signed by payers with a code. */
@Module({
  imports: [SepaModule],
  controllers: [MandatesController, MandateAddressesController],
  providers: [Mandates, MandateDocuments, SigningCodes, DueCodes],
  exports: [SigningCodes],
})
export class MandatesModule implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly documents: MandateDocuments,
    @Inject(DueWork) work: DueWork,
    @Inject(DueCodes) codes: DueCodes,
  ) {
    work.add(codes);
  }

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    takeDocuments(fastify, (token) => this.documents.expectUpload(token));
  }
}
