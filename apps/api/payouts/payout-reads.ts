import { Inject, Injectable } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { Pool } from 'pg';
import type { Caller } from '../auth/key-verifier.js';
import { EXPORT_ROWS, pagesOf } from '../shared/export.js';
import { isDay, isWord, PAGE, PageFilter, pageOf, positionOf } from '../shared/page.js';
import {
  answerOfRow, PAYOUT_STATUSES, type PayoutLineAnswer, type PayoutLinePage, type PayoutPage,
  type PayoutRow,
} from './payout-answer.js';

/** Which payouts to list, newest first. */
export class PayoutFilter extends PageFilter {
  @ApiPropertyOptional({ enum: PAYOUT_STATUSES })
  @IsOptional()
  @IsIn(PAYOUT_STATUSES)
  status?: (typeof PAYOUT_STATUSES)[number];

  @ApiPropertyOptional()
  @IsOptional()
  @Matches(/^[\w-]{1,64}$/, { message: '$property is not a merchant’s id' })
  merchantId?: string;
}

const LIST = `
  SELECT payout_id AS id, account_id AS "providerAccountId", merchant_id AS "merchantId", status,
         reference, currency, amount_minor AS "amountMinor", fees_minor AS "feesMinor",
         fees_vat_minor AS "feesVatMinor", date::text, date_bank::text AS "bankDate", matched,
         exceptions
    FROM payout_list
   WHERE platform_id = $1
     AND ($2::text IS NULL OR status = $2)
     AND ($3::text IS NULL OR merchant_id = $3)
     AND ($4::date IS NULL OR (date, payout_id) < ($4, $5))
   ORDER BY date DESC, payout_id DESC LIMIT $6`;

const LINES = `
  SELECT kind, object_id AS "providerId", payment_id AS "paymentId", currency,
         amount_minor::float8 AS "amountMinor", fee_minor::float8 AS "feeMinor", times
    FROM payout_lines
   WHERE payout_id = $1 AND ($2::text IS NULL OR (kind, object_id) > ($2, $3))
   ORDER BY kind, object_id LIMIT $4`;

/** Payouts for lists, and their lines; whose they are is asked before. */
@Injectable()
export class PayoutReads {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async list({ platformId }: Caller, filter: PayoutFilter): Promise<PayoutPage> {
    const { status = null, merchantId = null, limit = PAGE } = filter;
    const position = positionOf(filter.cursor, isDay);
    const values = [platformId, status, merchantId, ...position, limit + 1];
    const { rows } = await this.pool.query<PayoutRow>(LIST, values);
    return pageOf(rows, limit, answerOfRow, ({ date, id }) => [date, id]);
  }

  async lines(payoutId: string, { cursor, limit = PAGE }: PageFilter): Promise<PayoutLinePage> {
    const rows = await this.linesAfter(payoutId, positionOf(cursor, isWord), limit + 1);
    return pageOf(rows, limit, (row) => row, ({ kind, providerId }) => [kind, providerId]);
  }

  allLines(payoutId: string): AsyncIterable<readonly PayoutLineAnswer[]> {
    return pagesOf<PayoutLineAnswer>((after) =>
      this.linesAfter(payoutId, [after?.kind ?? null, after?.providerId ?? null], EXPORT_ROWS));
  }

  private async linesAfter(
    payoutId: string, after: readonly [string | null, string | null], limit: number,
  ): Promise<readonly PayoutLineAnswer[]> {
    const values = [payoutId, ...after, limit];
    return (await this.pool.query<PayoutLineAnswer>(LINES, values)).rows;
  }
}
