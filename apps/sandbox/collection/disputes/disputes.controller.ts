import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { pathId } from '../../api/ids.js';
import { InScope } from '../../api/request-scope.js';
import { listPage } from '../../api/resource.js';
import type { AccountScope } from '../../storage/account-scope.js';
import { Database } from '../../storage/database.js';
import { Intents } from '../payments/intents.service.js';
import { Payments } from '../payments/payments.service.js';
import { DISPUTES } from './dispute-resource.js';
import { Disputes } from './disputes.service.js';
import { readEvidence, readEvidenceForm } from './evidence-input.js';

/** Lists disputes, and receives the merchant's evidence against them. */
@Controller('v2/disputes')
export class DisputesController {
  constructor(
    private readonly disputes: Disputes,
    private readonly database: Database,
  ) {}

  @Get()
  async list(@InScope() scope: AccountScope, @Query() query: unknown) {
    return listPage(this.database, DISPUTES, scope, query);
  }

  @Get(':id')
  async read(@InScope() scope: AccountScope, @Param('id') id: string) {
    return DISPUTES.wire(await this.disputes.read(scope, pathId('dspt', id)));
  }

  /** Accepts evidence as JSON with base64 files, or as a multipart form with files. */
  @Post(':id/evidence')
  @HttpCode(200)
  async evidence(
    @InScope() scope: AccountScope,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ) {
    // Checks that the dispute belongs to the caller before the body is read.
    const { id: known } = await this.disputes.read(scope, pathId('dspt', id));
    const evidence = request.isMultipart()
      ? await readEvidenceForm(request)
      : readEvidence(request.body);
    return DISPUTES.wire(await this.disputes.sendEvidence(scope, known, evidence));
  }
}

/** The disputes of a payment or an intent, as an array. */
@Controller('v2')
export class DisputesOfController {
  constructor(
    private readonly disputes: Disputes,
    private readonly payments: Payments,
    private readonly intents: Intents,
  ) {}

  @Get('payments/:id/disputes')
  async ofPayment(@InScope() scope: AccountScope, @Param('id') id: string) {
    const payment = await this.payments.read(scope, pathId('paym', id));
    return (await this.disputes.ofPayment(payment.id)).map(DISPUTES.wire);
  }

  @Get('payment_intents/:id/disputes')
  async ofIntent(@InScope() scope: AccountScope, @Param('id') id: string) {
    const intent = await this.intents.read(scope, pathId('pi', id));
    return (await this.disputes.ofIntent(intent.id)).map(DISPUTES.wire);
  }
}
