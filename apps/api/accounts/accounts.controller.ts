import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { parseInstant } from '#kernel';
import { INSTANT, type Page, pageOf, queryOf } from '#lists';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { Field, OneOf, Optional } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, Idempotent, TakesIdempotencyKey } from '../shared/change-request.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { problem } from '../shared/error-codes.js';
import { accountIdPipe } from '../shared/id.pipe.js';
import { NoFields } from '../shared/no-fields.js';
import { AccountAnswer } from './account-answer.js';
import { ACCOUNT_LIST, ACCOUNT_PAGING, AccountReads } from './account-reads.js';
import { AccountRegistry } from './account-registry.js';

class RegisterAccountDto {
  @ApiProperty({ example: 'merchant-7' })
  @Matches(/^[\w-]{1,64}$/, {
    message: '$property must be 1 to 64 letters, digits, underscores or hyphens',
  })
  merchantId!: string;

  @OneOf(ACCOUNT_MODES)
  @IsIn(ACCOUNT_MODES)
  mode!: AccountMode;

  @Field("The merchant's API key at the provider. Stored encrypted, never returned.", {
    writeOnly: true,
    example: 'stest_0123456789abcdefghij',
  })
  @Matches(/^(?:stest|sprod)_[\w-]{8,190}$/, {
    message: '$property must be a provider key (stest_… or sprod_…)',
  })
  apiKey!: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description:
      'For an account that replaces another account: the earliest instant at which new orders use ' +
      'it. Default: as soon as it is approved and its cooling-off period has ended.',
  })
  @Optional()
  @INSTANT
  ordersFrom?: string;
}

class WithdrawnAccount {
  @Field('The id of the provider account, `acc_…`.')
  id!: string;
}

class AccountQuery extends queryOf(ACCOUNT_LIST, ACCOUNT_PAGING) {}

const AccountPage = pageOf(ACCOUNT_LIST, AccountAnswer);

@ApiTags('Provider accounts')
@Controller('v1/provider-accounts')
export class AccountsController {
  constructor(
    private readonly registry: AccountRegistry,
    private readonly reads: AccountReads,
  ) {}

  @Post()
  @Allow('accounts:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: "Register a merchant's account at the provider",
    description:
      'Also creates its webhook endpoint at the provider. If the merchant already has an ' +
      'account in this mode, a key of the same provider account replaces the stored key. A key ' +
      'of another provider account registers a second account, which is `awaiting_approval` ' +
      'until two operators approve it; older orders keep their account. A key belongs to one ' +
      'account only.',
  })
  @Answers(
    {
      status: 201,
      type: AccountAnswer,
      description: 'The account; its `status` shows whether new orders use it.',
    },
    ...CHANGE_ERRORS,
    'account_registration_in_progress',
    'merchant_onboarded',
    'invalid_provider_key',
    'provider_key_taken',
    'provider_key_rejected',
    'provider_unavailable',
  )
  registerAccount(
    @Body() input: RegisterAccountDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<AccountAnswer>> {
    const prefix = input.mode === 'live' ? 'sprod_' : 'stest_';
    if (!input.apiKey.startsWith(prefix)) {
      throw problem('invalid_provider_key', {
        detail: `a ${input.mode} key begins with ${prefix}`,
        errors: [{ detail: `must begin with ${prefix}`, pointer: '#/apiKey' }],
      });
    }
    const { ordersFrom: text, ...account } = input;
    const ordersFrom = text === undefined ? null : parseInstant(text);
    return this.registry.register(request, { ...account, ordersFrom });
  }

  @Get()
  @Allow('accounts:read')
  @ApiOperation({ summary: 'List your merchants’ accounts, newest first' })
  @Answers({ type: AccountPage, description: 'A page of accounts.' }, 'validation_failed')
  listAccounts(
    @Query() query: AccountQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<AccountAnswer>> {
    return this.reads.page(caller, query);
  }

  @Get(':id')
  @Allow('accounts:read')
  @ApiOperation({ summary: 'Read an account' })
  @Answers({ type: AccountAnswer, description: 'The account.' }, 'account_not_found')
  getAccount(
    @Param('id', accountIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<AccountAnswer> {
    return this.reads.get(caller, id);
  }

  @Post(':id/withdraw')
  @Allow('accounts:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Withdraw an account before orders use it',
    description:
      'Existing and new orders continue to use the current account. `GET /v1/notices` lists the withdrawal.',
  })
  @Answers(
    {
      type: WithdrawnAccount,
      description: 'Withdrawn: orders will not use the account.',
    },
    ...CHANGE_ERRORS,
    'account_not_found',
    'account_in_use',
    'account_disabled',
  )
  withdrawAccount(
    @Param('id', accountIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<WithdrawnAccount>> {
    return this.registry.withdraw(request, id);
  }
}
