import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { type FastifyReply } from 'fastify';
import { Problem } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { MODES } from '../orders/place-order.dto.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { Idempotent, type IdempotentRequest, TakesIdempotencyKey } from '../shared/idempotency-key.js';
import { send } from '../shared/idempotency.js';
import { AccountAnswer } from './account-answer.js';
import { AccountRegistry } from './account-registry.js';

class RegisterAccountDto {
  @ApiProperty({ example: 'merchant-7' })
  @Matches(/^[\w-]{1,64}$/, {
    message: '$property must be 1 to 64 letters, digits, underscores or hyphens',
  })
  merchantId!: string;

  @ApiProperty({ enum: MODES })
  @IsIn(MODES)
  mode!: (typeof MODES)[number];

  @ApiProperty({
    writeOnly: true, example: 'stest_0123456789abcdefghij',
    description: "The merchant's key at the provider. Kept encrypted, never given back.",
  })
  @Matches(/^(?:stest|sprod)_[\w-]{8,190}$/, {
    message: '$property must be a provider key (stest_… or sprod_…)',
  })
  apiKey!: string;
}

class AccountList {
  @ApiProperty({ type: AccountAnswer, isArray: true })
  items!: readonly AccountAnswer[];
}

@ApiTags('Provider accounts')
@Controller('v1/provider-accounts')
export class AccountsController {
  constructor(private readonly registry: AccountRegistry) {}

  @Post()
  @Allow('accounts:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: "Register a merchant's account at the provider", operationId: 'registerAccount',
    description:
      'Also makes its webhook endpoint there. The same merchant and mode again: another key ' +
      'replaces the old one. A key is one account’s alone.',
  })
  @Answers(
    { status: 201, type: AccountAnswer, description: 'The account, ready to be paid with.' },
    ...CHANGE_ERRORS, 'registration_in_flight', 'merchant_onboarded', 'invalid_provider_key',
    'provider_key_taken', 'provider_key_refused', 'provider_unavailable',
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
    return send(reply, await this.registry.register(caller, input, request));
  }

  @Get()
  @Allow('accounts:read')
  @ApiOperation({ summary: 'List your merchants’ accounts', operationId: 'listAccounts' })
  @Answers({ status: 200, type: AccountList, description: 'Your merchants’ accounts.' })
  async list(@CurrentCaller() caller: Caller): Promise<AccountList> {
    return { items: await this.registry.list(caller) };
  }
}
