import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Field } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import {
  type ChangeRequest,
  Idempotent,
  type Origin,
  RequestOrigin,
  TakesIdempotencyKey,
} from '../shared/change-request.js';
import { Answers, BODY_ERRORS, CHANGE_ERRORS } from '../shared/docs.js';
import { merchantIdPipe } from '../shared/id.pipe.js';
import { NoFields } from '../shared/no-fields.js';
import { CallsProvider } from '../shared/provider-share.js';
import { Tenancy } from '../shared/tenancy.js';
import { CompanyReads } from './company-reads.js';
import { DetailsAnswer } from './details/details-answer.js';
import { merchantAnswer, MerchantAnswer } from './merchant-answer.js';
import { MerchantChanges } from './merchant-changes.js';
import { MerchantDrafts } from './merchant-drafts.js';
import { ChangeMerchantDto, ONBOARD_EXAMPLES, OnboardMerchantDto } from './merchant.dto.js';
import { ProgressAnswer } from './progress-answer.js';
import { AT_COMPANY, AT_PROVIDER, DETAILS_ERRORS, LONG_NUMBERS } from './routes.js';

class LinkAnswer {
  @Field('The link shows the merchant’s file to anyone who has it: do not store it.', {
    format: 'uri',
  })
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
    description:
      'Checks the details against the provider’s lists, then has the company registered; the ' +
      'merchant’s status and timeline show the result.',
  })
  @ApiBody({ type: OnboardMerchantDto, examples: ONBOARD_EXAMPLES })
  @Answers(
    {
      status: 201,
      type: MerchantAnswer,
      description: 'The merchant; its registration follows asynchronously.',
    },
    ...CHANGE_ERRORS,
    ...DETAILS_ERRORS,
    'reference_taken',
    'mode_not_offered',
  )
  onboardMerchant(
    @Body() input: OnboardMerchantDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<MerchantAnswer>> {
    return this.drafts.draft(request, input);
  }

  @Get(':id')
  @Allow('merchants:read')
  @ApiOperation({ summary: 'Read a merchant' })
  @Answers({ type: MerchantAnswer, description: 'The merchant.' }, 'merchant_not_found')
  async getMerchant(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MerchantAnswer> {
    return merchantAnswer(id, await this.tenancy.merchant(caller, id));
  }

  @Patch(':id')
  @CallsProvider()
  @Allow('merchants:write', LONG_NUMBERS)
  @ApiOperation({
    summary: 'Change a merchant’s details',
    description:
      'Until the company is registered, the details stored here are changed; after a rejection ' +
      'the company is then registered again. Afterwards the details are changed at the ' +
      'provider, which locks some fields after signing. Safe to repeat.',
  })
  @Answers(
    { type: MerchantAnswer, description: 'The merchant, with its details changed.' },
    ...BODY_ERRORS,
    'merchant_not_found',
    'registration_in_progress',
    'personal_data_erased',
    'people_not_replaceable',
    ...DETAILS_ERRORS,
    ...AT_PROVIDER,
  )
  changeMerchant(
    @Param('id', merchantIdPipe) merchantId: string,
    @Body() { details }: ChangeMerchantDto,
    @RequestOrigin() origin: Origin,
  ): Promise<MerchantAnswer> {
    return this.changes.change(origin, merchantId, details);
  }

  @Get(':id/details')
  @CallsProvider()
  @Allow('merchants:details')
  @ApiOperation({
    summary: 'Read a merchant’s details',
    description:
      'Personal data, read from the provider for this response only. The key needs a separate scope.',
  })
  @Answers(
    {
      type: DetailsAnswer,
      description: 'The details, with the field names of the request.',
    },
    'busy',
    'merchant_not_found',
    'personal_data_erased',
    ...AT_PROVIDER,
  )
  async getMerchantDetails(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<DetailsAnswer> {
    return this.reads.readDetails(caller, id);
  }

  @Get(':id/progress')
  @CallsProvider()
  @Allow('merchants:read')
  @ApiOperation({ summary: 'Read the progress of the registration' })
  @Answers(
    {
      type: ProgressAnswer,
      description: 'The steps of the registration, with the missing fields and documents.',
    },
    ...AT_COMPANY,
  )
  getMerchantProgress(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<ProgressAnswer> {
    return this.reads.progress(caller, id);
  }

  @Post(':id/subscription-link')
  @CallsProvider()
  @Allow('merchants:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Get the link at which the merchant signs',
    description:
      'The link is read from the provider for each request, even a repeated one, and never stored.',
  })
  @Answers(
    { type: LinkAnswer, description: 'Give the link to the merchant only.' },
    'idempotency_key_missing',
    'validation_failed',
    ...AT_COMPANY,
  )
  async getSubscriptionLink(
    @Param('id', merchantIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() { caller }: ChangeRequest,
  ): Promise<Answer<LinkAnswer>> {
    return { status: 200, body: { link: await this.reads.subscriptionLink(caller, id) } };
  }

  @Post(':id/refresh')
  @CallsProvider()
  @Allow('merchants:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Read the merchant’s status from the provider now',
    description:
      'Use it after the merchant has signed, to get the new status without waiting for the next poll. ' +
      'The merchant’s terminals are read soon after.',
  })
  @Answers(
    {
      type: MerchantAnswer,
      description: 'The merchant, with its current status at the provider.',
    },
    ...CHANGE_ERRORS,
    ...AT_COMPANY,
  )
  refreshMerchant(
    @Param('id', merchantIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<MerchantAnswer>> {
    return this.reads.refresh(request, id);
  }

  @Delete(':id/personal-data')
  @Allow('merchants:write')
  @ApiOperation({
    summary: 'Erase a merchant’s personal data here',
    description:
      'A merchant whose company is not registered yet can no longer be registered. The data ' +
      'that the provider has is not erased. The event history holds no personal data. Safe to ' +
      'repeat.',
  })
  @Answers(
    { status: 204, description: 'Erased: no personal data is stored here.' },
    'busy',
    'merchant_not_found',
  )
  erasePersonalData(
    @Param('id', merchantIdPipe) id: string,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    return this.reads.erasePersonalData(origin, id);
  }
}
