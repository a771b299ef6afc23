import { Inject, Injectable } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, Matches } from 'class-validator';
import { Pool } from 'pg';
import type { Caller } from '../auth/key-verifier.js';
import { MODES } from '../orders/place-order.dto.js';
import { isId, isInstant, PAGE, PageFilter, pageOf, positionOf } from '../shared/page.js';
import { MERCHANT_STATUSES } from './merchant-answer.js';

const asFlag = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

/** Which merchants to list, newest first. */
export class MerchantFilter extends PageFilter {
  @ApiPropertyOptional({ enum: MERCHANT_STATUSES })
  @IsOptional()
  @IsIn(MERCHANT_STATUSES)
  status?: (typeof MERCHANT_STATUSES)[number];

  @ApiPropertyOptional()
  @IsOptional()
  @Matches(/^[!-~]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  reference?: string;

  @ApiPropertyOptional({ enum: MODES })
  @IsOptional()
  @IsIn(MODES)
  mode?: (typeof MODES)[number];

  @ApiPropertyOptional({ type: Boolean, description: 'Whether they take new orders.' })
  @IsOptional()
  @IsBoolean()
  @Transform(asFlag)
  open?: boolean;
}

class MerchantListItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: MERCHANT_STATUSES })
  status!: string;

  @ApiProperty()
  reference!: string;

  @ApiProperty({ enum: MODES })
  mode!: string;

  @ApiProperty({ description: 'Whether it takes new orders.' })
  open!: boolean;

  @ApiProperty({ type: String, nullable: true })
  companyId!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

/** A page of merchants. It follows the merchants' own state a moment later. */
export class MerchantPage {
  @ApiProperty({ type: MerchantListItem, isArray: true })
  items!: readonly MerchantListItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

interface MerchantRow extends Omit<MerchantListItem, 'createdAt'> {
  readonly draftedAt: Date;
}

const itemOf = ({ draftedAt, ...row }: MerchantRow): MerchantListItem =>
  ({ ...row, createdAt: draftedAt.toISOString() });

@Injectable()
export class MerchantList {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async page({ platformId }: Caller, filter: MerchantFilter): Promise<MerchantPage> {
    const limit = filter.limit ?? PAGE;
    const { rows } = await this.pool.query<MerchantRow>({
      text: `SELECT merchant_id AS id, status, reference, mode, open_for_orders AS open,
                    company_id AS "companyId", drafted_at AS "draftedAt"
               FROM merchant_list
              WHERE platform_id = $1
                AND ($2::text IS NULL OR status = $2)
                AND ($3::text IS NULL OR reference = $3)
                AND ($4::text IS NULL OR mode = $4)
                AND ($5::boolean IS NULL OR open_for_orders = $5)
                AND ($6::timestamptz IS NULL OR (drafted_at, merchant_id) < ($6, $7))
              ORDER BY drafted_at DESC, merchant_id DESC
              LIMIT $8`,
      values: [
        platformId, filter.status ?? null, filter.reference ?? null, filter.mode ?? null,
        filter.open ?? null, ...positionOf(filter.cursor, isInstant, isId), limit + 1,
      ],
    });
    return pageOf(rows, limit, itemOf, ({ draftedAt, id }) => [draftedAt.toISOString(), id]);
  }
}
