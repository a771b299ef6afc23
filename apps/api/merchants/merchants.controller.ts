import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { merchantIdPipe } from '../shared/id.pipe.js';
import {
  Idempotent,
  type IdempotentRequest,
  TakesIdempotencyKey,
} from '../shared/idempotency-key.js';
import { send } from '../shared/idempotency.js';
import { NoFields } from '../shared/no-fields.js';
import { type Origin, RequestOrigin } from '../shared/origin.js';
import { Tenancy } from '../shared/tenancy.js';
import { CompanyReads } from './company-reads.js';
import { DetailsAnswer } from './details/details-answer.js';
import { merchantAnswer, MerchantAnswer } from './merchant-answer.js';
import { MerchantChanges } from './merchant-changes.js';
import { MerchantDrafts } from './merchant-drafts.js';
import { ChangeMerchantDto, ONBOARD_EXAMPLES, OnboardMerchantDto } from './merchant.dto.js';
import { ProgressAnswer } from './progress-answer.js';
import { AT_PROVIDER, DETAILS_ERRORS, LONG_NUMBERS } from './routes.js';

class LinkAnswer {
  @ApiProperty({ format: 'uri', description: 'Shows the file to whoever has it: do not keep it.' })
  link!: string;
}

@ApiTags('Merchants')
@Controller('v1/merchants')
export class MerchantsController {
  constructor(
    private readonly drafts: MerchantDrafts,
    private readonly changes: MerchantChanges,
    private readonly reads: CompanyReads,
    private readonly tenancy: Tenancy,
  ) {}

  @Post()
  @Allow('merchants:write', LONG_NUMBERS)
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Onboard a merchant',
    operationId: 'onboardMerchant',
    description:
      'Checks the details against the provider’s lists, then has the company registered; what ' +
      'the provider says to it is told by the merchant’s status and timeline.',
  })
  @ApiBody({ type: OnboardMerchantDto, examples: ONBOARD_EXAMPLES })
  @Answers(
    { status: 201, type: MerchantAnswer, description: 'The merchant; its registration follows.' },
    ...CHANGE_ERRORS,
    ...DETAILS_ERRORS,
    'reference_taken',
    'mode_not_offered',
  )
  async onboard(
    @Body() input: OnboardMerchantDto,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MerchantAnswer> {
    return send(reply, await this.drafts.draft(caller, input, request, origin));
  }

  @Get(':id')
  @Allow('merchants:read')
  @ApiOperation({ summary: 'Read a merchant', operationId: 'getMerchant' })
  @Answers(
    { status: 200, type: MerchantAnswer, description: 'The merchant.' },
    'merchant_not_found',
  )
  async read(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MerchantAnswer> {
    return merchantAnswer(id, await this.tenancy.merchant(caller, id));
  }

  @Patch(':id')
  @Allow('merchants:write', LONG_NUMBERS)
  @ApiOperation({
    summary: 'Change a merchant’s details',
    operationId: 'changeMerchant',
    description:
      'Before the company is registered, here: one that was refused is registered again. ' +
      'Afterwards at the provider, which closes what a signed contract holds. May be repeated.',
  })
  @Answers(
    { status: 200, type: MerchantAnswer, description: 'The merchant; its details are changed.' },
    'malformed_request',
    'card_number_refused',
    'iban_refused',
    'busy',
    'merchant_not_found',
    'registration_under_way',
    'personal_data_erased',
    'heads_apart',
    ...DETAILS_ERRORS,
    ...AT_PROVIDER,
  )
  change(
    @Param('id', merchantIdPipe) merchantId: string,
    @Body() { details }: ChangeMerchantDto,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
  ): Promise<MerchantAnswer> {
    return this.changes.change({ caller, merchantId, origin }, details);
  }

  @Get(':id/details')
  @Allow('merchants:details')
  @ApiOperation({
    summary: 'Read who a merchant is',
    operationId: 'getMerchantDetails',
    description: 'Read from the provider for this answer. A scope of its own: it is personal data.',
  })
  @Answers(
    { status: 200, type: DetailsAnswer, description: 'The details, by the names they came in.' },
    'merchant_not_found',
    'personal_data_erased',
    ...AT_PROVIDER,
  )
  async details(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<DetailsAnswer> {
    return this.reads.readDetails(caller, id);
  }

  @Get(':id/progress')
  @Allow('merchants:read')
  @ApiOperation({
    summary: 'Read how far the registration is',
    operationId: 'getMerchantProgress',
  })
  @Answers(
    { status: 200, type: ProgressAnswer, description: 'What is complete, and what is missing.' },
    'merchant_not_found',
    'merchant_not_registered',
    ...AT_PROVIDER,
  )
  progress(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<ProgressAnswer> {
    return this.reads.progress(caller, id);
  }

  @Post(':id/subscription-link')
  @HttpCode(200)
  @Allow('merchants:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Get the link at which the merchant signs',
    operationId: 'getSubscriptionLink',
    description: 'Read from the provider each time, a repetition included, and kept nowhere.',
  })
  @Answers(
    { status: 200, type: LinkAnswer, description: 'Give it to the merchant, and to nobody else.' },
    'idempotency_key_missing',
    'validation_failed',
    'merchant_not_found',
    'merchant_not_registered',
    ...AT_PROVIDER,
  )
  async subscriptionLink(
    @Param('id', merchantIdPipe) id: string,
    @NoFields() _fields: void,
    @CurrentCaller() caller: Caller,
    @Idempotent() _request: IdempotentRequest,
  ): Promise<LinkAnswer> {
    return { link: await this.reads.subscriptionLink(caller, id) };
  }

  @Post(':id/refresh')
  @HttpCode(200)
  @Allow('merchants:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Read the provider now',
    operationId: 'refreshMerchant',
    description: 'For the moment when the merchant has signed: its status is known at once.',
  })
  @Answers(
    { status: 200, type: MerchantAnswer, description: 'As the provider shows it now.' },
    ...CHANGE_ERRORS,
    'merchant_not_found',
    'merchant_not_registered',
    ...AT_PROVIDER,
  )
  async refresh(
    @Param('id', merchantIdPipe) id: string,
    @NoFields() _fields: void,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @RequestOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MerchantAnswer> {
    return send(reply, await this.reads.refresh(caller, id, request, origin));
  }

  @Delete(':id/personal-data')
  @HttpCode(204)
  @Allow('merchants:write')
  @ApiOperation({
    summary: 'Erase a merchant’s personal data here',
    operationId: 'erasePersonalData',
    description:
      'A merchant that is not registered by then never will be. What the provider has is not ' +
      'touched. The history holds none. May be repeated.',
  })
  @Answers(
    { status: 204, description: 'There is none here any more.' },
    'busy',
    'merchant_not_found',
  )
  erase(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    return this.reads.erasePersonalData(caller, id, origin);
  }
}
