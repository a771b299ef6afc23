import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { type Clock } from '#kernel';
import { CLOCK } from '#platform';
import { ACCOUNT_MODES } from '#psp';
import { Allow } from '../access/allow.js';
import { Answers, listOf } from '../shared/docs.js';

class PlatformItem {
  @ApiProperty({ description: 'The platform’s id.' })
  id!: string;

  @ApiProperty({ type: 'integer', description: 'The number of its active API keys.' })
  liveKeys!: number;

  @ApiProperty({ type: 'integer', description: 'The number of its provider accounts.' })
  accounts!: number;
}

class AccountItem {
  @ApiProperty({ description: 'The provider account’s id.' })
  id!: string;

  @ApiProperty({ description: 'The platform that registered it.' })
  platformId!: string;

  @ApiProperty({ description: 'The merchant that it belongs to.' })
  merchantId!: string;

  @ApiProperty({ enum: ACCOUNT_MODES, description: 'The environment of the provider.' })
  mode!: string;

  @ApiProperty({
    enum: ['awaiting_approval', 'scheduled', 'taking_orders', 'replaced', 'disabled'],
    description: 'How the merchant’s orders use it; `waiting`: awaiting approval.',
  })
  status!: 'awaiting_approval' | 'scheduled' | 'taking_orders' | 'replaced' | 'disabled';

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'From when new orders use it; null: not scheduled.',
  })
  ordersFrom!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The provider’s webhook endpoint; null: not registered.',
  })
  webhookEndpointId!: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'The number of failing polls, e.g. of its payouts or refunds.',
  })
  failingReads!: number;

  @ApiProperty({ format: 'date-time', description: 'When it was registered.' })
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
  @Allow('viewer')
  @ApiOperation({ summary: 'List platforms' })
  @Answers({ status: 200, type: PlatformList, description: 'By id.' })
  async listPlatforms(): Promise<PlatformList> {
    return { items: (await this.pool.query<PlatformItem>(PLATFORMS)).rows };
  }

  @Get('provider-accounts')
  @Allow('viewer')
  @ApiOperation({ summary: 'Provider accounts, without their secrets' })
  @Answers({ status: 200, type: AccountList, description: 'Newest first.' })
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
