import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { type Clock } from '#kernel';
import { CLOCK } from '#platform';
import { ACCOUNT_MODES } from '#psp';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';

class PlatformItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ type: 'integer' })
  liveKeys!: number;

  @ApiProperty({ type: 'integer' })
  accounts!: number;
}

class AccountItem {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  platformId!: string;

  @ApiProperty()
  merchantId!: string;

  @ApiProperty({ enum: ACCOUNT_MODES })
  mode!: string;

  @ApiProperty({
    enum: ['waiting', 'scheduled', 'taking_orders', 'replaced', 'disabled'],
    description: 'Whether the merchant’s orders use it; `waiting`: once two people approve it.',
  })
  status!: 'waiting' | 'scheduled' | 'taking_orders' | 'replaced' | 'disabled';

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ordersFrom!: string | null;

  @ApiProperty({ type: String, nullable: true, description: "The provider's." })
  webhookEndpointId!: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Of its payouts, refunds, …: failing, and retried.',
  })
  failingReads!: number;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

class PlatformList {
  @ApiProperty({ type: PlatformItem, isArray: true })
  items!: readonly PlatformItem[];
}

class AccountList {
  @ApiProperty({ type: AccountItem, isArray: true, description: 'At most 1000.' })
  items!: readonly AccountItem[];
}

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
  @ApiOperation({ summary: 'The platforms that we know', operationId: 'listPlatforms' })
  @Answers({ status: 200, type: PlatformList, description: 'By id.' })
  async platforms(): Promise<PlatformList> {
    return { items: (await this.pool.query<PlatformItem>(PLATFORMS)).rows };
  }

  @Get('provider-accounts')
  @Allow('viewer')
  @ApiOperation({
    summary: 'Accounts at the provider, without their secrets',
    operationId: 'listProviderAccounts',
  })
  @Answers({ status: 200, type: AccountList, description: 'Newest first.' })
  async accounts(): Promise<AccountList> {
    const { rows } = await this.pool.query<AccountItem>(
      `SELECT id, platform_id AS "platformId", merchant_id AS "merchantId", mode,
              webhook_endpoint_id AS "webhookEndpointId", created_at AS "createdAt",
              s.status, s.orders_from AS "ordersFrom",
              (SELECT count(*)::int FROM jobs j
                WHERE j.key = provider_accounts.id AND j.kind LIKE 'account.%'
                  AND (j.progress ->> 'tries')::int > 0) AS "failingReads"
         FROM provider_accounts JOIN account_standing($1) s ON s.account_id = id
        ORDER BY created_at DESC, id LIMIT 1000`,
      [this.clock.now()],
    );
    return { items: rows };
  }
}
