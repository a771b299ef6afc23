import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { type Clock } from '#kernel';
import { CLOCK, DateTime, Field, Integer, Nullable, NullableDateTime, OneOf } from '#platform';
import { ACCOUNT_MODES } from '#psp';
import { Allow } from '../access/allow.js';
import { Answers, listOf } from '../shared/docs.js';

class PlatformItem {
  @Field('The platform’s id.')
  id!: string;

  @Integer('The number of active API keys of the platform.')
  liveKeys!: number;

  @Integer('The number of provider accounts of the platform.')
  accounts!: number;
}

class AccountItem {
  @Field('The provider account’s id.')
  id!: string;

  @Field('The platform that registered the account.')
  platformId!: string;

  @Field('The merchant that the account belongs to.')
  merchantId!: string;

  @OneOf(ACCOUNT_MODES, 'The environment of the provider.')
  mode!: string;

  @OneOf(
    ['awaiting_approval', 'scheduled', 'taking_orders', 'replaced', 'disabled'],
    'How the merchant’s orders use the account.',
  )
  status!: 'awaiting_approval' | 'scheduled' | 'taking_orders' | 'replaced' | 'disabled';

  @NullableDateTime('The instant from which new orders use the account; null: not scheduled.')
  ordersFrom!: string | null;

  @Nullable(String, 'The provider’s webhook endpoint; null: not registered.')
  webhookEndpointId!: string | null;

  @Integer('The number of polls of the account that currently fail, e.g. of payouts or refunds.')
  failingReads!: number;

  @DateTime('When the account was registered.')
  createdAt!: string;
}

class PlatformList extends listOf(PlatformItem) {}

class AccountList extends listOf(AccountItem, 'At most 1000.') {}

const PLATFORMS = `
  SELECT id, sum(keys)::int AS "liveKeys", sum(accounts)::int AS accounts FROM (
    SELECT platform_id AS id,
           count(*) FILTER (WHERE revoked_at IS NULL
                              AND (expires_at IS NULL OR expires_at > now())) AS keys,
           0 AS accounts
      FROM api_keys GROUP BY platform_id
     UNION ALL
    SELECT platform_id, 0, count(*) FROM provider_accounts GROUP BY platform_id) of
   GROUP BY id ORDER BY id LIMIT 1000`;

@ApiTags('Settings')
@Controller('v1')
export class SettingsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('platforms')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'List platforms' })
  @Answers({ type: PlatformList, description: 'Sorted by id.' })
  async listPlatforms(): Promise<PlatformList> {
    return { items: (await this.pool.query<PlatformItem>(PLATFORMS)).rows };
  }

  @Get('provider-accounts')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'Provider accounts, without their secrets' })
  @Answers({ type: AccountList, description: 'Newest first.' })
  async listProviderAccounts(): Promise<AccountList> {
    const { rows } = await this.pool.query<AccountItem>(
      `SELECT id, platform_id AS "platformId", merchant_id AS "merchantId", mode,
              webhook_endpoint_id AS "webhookEndpointId", created_at AS "createdAt",
              s.status, s.orders_from AS "ordersFrom",
              (SELECT count(*)::int FROM jobs j
                WHERE j.key = provider_accounts.id AND j.kind LIKE 'account.%'
                  AND (j.progress ->> 'tries')::int > 0) AS "failingReads"
         FROM provider_accounts JOIN account_statuses($1) s ON s.account_id = id
        ORDER BY created_at DESC, id LIMIT 1000`,
      [this.clock.now()],
    );
    return { items: rows };
  }
}
