import { Inject, Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Pool } from 'pg';
import type { Caller } from '../auth/key-verifier.js';
import { MODES } from '../orders/place-order.dto.js';
import { isInstant, PAGE, type PageFilter, pageOf, positionOf } from '../shared/page.js';

export const NOTICE_KINDS = [
  'account_registered', 'account_waiting', 'account_approved', 'account_key_rotated',
  'account_disabled',
] as const;

/** What changed of where a merchant's money goes. */
export class Notice {
  @ApiProperty({ format: 'uuid', description: 'The event’s id, as the topic has it.' })
  id!: string;

  @ApiProperty({
    enum: NOTICE_KINDS,
    description:
      '`account_waiting`: another account than before was registered, and orders would use it once ' +
      'two people have approved that. Withdraw it if you do not know of it: ' +
      '`POST /v1/provider-accounts/{id}/withdraw`.',
  })
  kind!: string;

  @ApiProperty()
  accountId!: string;

  @ApiProperty()
  merchantId!: string;

  @ApiProperty({ enum: MODES })
  mode!: string;

  @ApiProperty({
    type: String, format: 'date-time', nullable: true,
    description: 'From when on new orders use the account, where this decides it.',
  })
  ordersFrom!: string | null;

  @ApiProperty({ description: 'Who did it.', example: 'platform:shop' })
  actor!: string;

  @ApiProperty({ format: 'date-time' })
  at!: string;
}

export class NoticePage {
  @ApiProperty({ type: Notice, isArray: true })
  items!: readonly Notice[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

/** The events of the platform's accounts, as the log has them. */
const NOTICES = `
  SELECT e.event_id AS id,
         CASE e.type
           WHEN 'ProviderAccountRegistered' THEN
             CASE WHEN e.data ->> 'ordersFrom' IS NULL THEN 'account_waiting'
                  ELSE 'account_registered' END
           WHEN 'ProviderAccountApproved' THEN 'account_approved'
           WHEN 'ProviderAccountKeyRotated' THEN 'account_key_rotated'
           WHEN 'ProviderAccountDisabled' THEN 'account_disabled' END AS kind,
         a.id AS "accountId", a.merchant_id AS "merchantId", a.mode,
         e.data ->> 'ordersFrom' AS "ordersFrom", e.metadata ->> 'actor' AS actor,
         e.data ->> 'at' AS at, date_trunc('milliseconds', e.recorded_at) AS "recordedAt"
    FROM provider_accounts a JOIN events e ON e.stream_type = 'account' AND e.stream_id = a.id
   WHERE a.platform_id = $1
     AND ($2::timestamptz IS NULL
          OR (date_trunc('milliseconds', e.recorded_at), e.event_id) < ($2, $3::uuid))
   ORDER BY "recordedAt" DESC, e.event_id DESC LIMIT $4`;

interface NoticeRow extends Notice {
  readonly recordedAt: Date;
}

const noticeOf = ({ recordedAt: _recordedAt, ...notice }: NoticeRow): Notice => notice;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** What a platform is to know of its merchants' accounts, whoever changed them. */
@Injectable()
export class Notices {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async list({ platformId }: Caller, { cursor, limit = PAGE }: PageFilter): Promise<NoticePage> {
    const position = positionOf(cursor, isInstant, (text) => UUID.test(text));
    const { rows } = await this.pool.query<NoticeRow>(
      NOTICES, [platformId, ...position, limit + 1]);
    return pageOf(rows, limit, noticeOf, ({ recordedAt, id }) => [recordedAt.toISOString(), id]);
  }
}
