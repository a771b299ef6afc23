import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsIn, IsISO8601, IsOptional, Matches } from 'class-validator';
import { type FastifyReply } from 'fastify';
import { parseInstant } from '#kernel';
import { Problem } from '#platform';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { accountIdPipe } from '../shared/id.pipe.js';
import {
  Idempotent,
  type IdempotentRequest,
  TakesIdempotencyKey,
} from '../shared/idempotency-key.js';
import { send } from '../shared/idempotency.js';
import { NoFields } from '../shared/no-fields.js';
import { AccountAnswer } from './account-answer.js';
import { AccountReads } from './account-reads.js';
import { AccountRegistry } from './account-registry.js';

class RegisterAccountDto {
  @ApiProperty({ example: 'merchant-7' })
  @Matches(/^[\w-]{1,64}$/, {
    message: '$property must be 1 to 64 letters, digits, underscores or hyphens',
  })
  merchantId!: string;

  @ApiProperty({ enum: ACCOUNT_MODES })
  @IsIn(ACCOUNT_MODES)
  mode!: AccountMode;

  @ApiProperty({
    writeOnly: true,
    example: 'stest_0123456789abcdefghij',
    description: "The merchant's key at the provider. Kept encrypted, never given back.",
  })
  @Matches(/^(?:stest|sprod)_[\w-]{8,190}$/, {
    message: '$property must be a provider key (stest_… or sprod_…)',
  })
  apiKey!: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description:
      'Of an account that is to replace another one: new orders use it from then on at the ' +
      'earliest. Default: as soon as it is approved, and its cooling-off is over.',
  })
  @IsOptional()
  @IsISO8601({ strict: true })
  @Matches(/T.*(?:Z|[+-]\d\d:\d\d)$/, { message: '$property must be a date and time with a zone' })
  ordersFrom?: string;
}

class WithdrawnAccount {
  @ApiProperty()
  id!: string;
}

class AccountList {
  @ApiProperty({ type: AccountAnswer, isArray: true })
  items!: readonly AccountAnswer[];
}

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
    operationId: 'registerAccount',
    description:
      'Also makes its webhook endpoint there. The same merchant and mode again: a key that is seen ' +
      'to open the same account replaces the old one. A key of another account does not: that ' +
      'account has the status `waiting` until two people approve it on our side, and older orders ' +
      'keep theirs. A key is one account’s alone.',
  })
  @Answers(
    {
      status: 201,
      type: AccountAnswer,
      description: 'The account; its `status` says whether orders use it.',
    },
    ...CHANGE_ERRORS,
    'registration_in_flight',
    'merchant_onboarded',
    'invalid_provider_key',
    'provider_key_taken',
    'provider_key_refused',
    'provider_unavailable',
  )
  async register(
    @Body() input: RegisterAccountDto,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccountAnswer> {
    const prefix = input.mode === 'live' ? 'sprod_' : 'stest_';
    if (!input.apiKey.startsWith(prefix)) {
      throw new Problem(422, 'invalid_provider_key', `a ${input.mode} key begins with ${prefix}`, {
        errors: [{ detail: `must begin with ${prefix}`, pointer: '#/apiKey' }],
      });
    }
    const { ordersFrom: text, ...account } = input;
    const ordersFrom = text === undefined ? null : parseInstant(text);
    const registration = { ...account, ordersFrom };
    return send(reply, await this.registry.register(caller, registration, request));
  }

  @Get()
  @Allow('accounts:read')
  @ApiOperation({ summary: 'List your merchants’ accounts', operationId: 'listAccounts' })
  @Answers({ status: 200, type: AccountList, description: 'Your merchants’ accounts.' })
  async list(@CurrentCaller() caller: Caller): Promise<AccountList> {
    return { items: await this.reads.list(caller) };
  }

  @Post(':id/withdraw')
  @HttpCode(200)
  @Allow('accounts:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Withdraw an account before orders use it',
    operationId: 'withdrawAccount',
    description: 'Orders go on to use the account that they use now. `GET /v1/notices` lists it.',
  })
  @Answers(
    { status: 200, type: WithdrawnAccount, description: 'Orders will not use it.' },
    ...CHANGE_ERRORS,
    'account_not_found',
    'account_in_use',
    'account_disabled',
  )
  async withdraw(
    @Param('id', accountIdPipe) id: string,
    @NoFields() _fields: void,
    @CurrentCaller() caller: Caller,
    @Idempotent() request: IdempotentRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WithdrawnAccount> {
    return send(reply, await this.registry.withdraw(caller, id, request));
  }
}
