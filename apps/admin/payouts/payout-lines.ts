import { ApiProperty } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { Problem } from '#platform';
import { FlagFilter } from '../shared/filters.js';
import { limitOf, PageDto } from '../shared/page.dto.js';

const LINE_KINDS = ['payment', 'refund', 'dispute', 'dispute_reversal'] as const;

/** Which lines to list, by kind and id. */
export class PayoutLineFilter extends PageDto {
  @FlagFilter('Those alone that have an open exception.')
  differing?: boolean;
}

/** What our ledger has of the thing that a line is about. */
class LineEntry {
  @ApiProperty({ description: 'Our payment, whose history it is from.' })
  paymentId!: string;

  @ApiProperty()
  currency!: string;

  @ApiProperty({ type: 'integer', description: 'In minor units.' })
  amountMinor!: number;

  @ApiProperty({ type: 'integer', description: 'In minor units.' })
  feeMinor!: number;
}

class LineException {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  kind!: string;

  @ApiProperty({ description: 'What our record says.' })
  expected!: string;

  @ApiProperty({ description: "What the provider's says." })
  observed!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  closedAt!: string | null;
}

class PayoutLine {
  @ApiProperty({ enum: LINE_KINDS })
  kind!: (typeof LINE_KINDS)[number];

  @ApiProperty({ description: "The provider's." })
  objectId!: string;

  @ApiProperty({ type: String, nullable: true })
  method!: string | null;

  @ApiProperty()
  currency!: string;

  @ApiProperty({ type: 'integer', description: 'In minor units.' })
  amountMinor!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'In minor units.' })
  feeMinor!: number | null;

  @ApiProperty({ type: LineEntry, nullable: true, description: 'Null: our ledger has none.' })
  entry!: LineEntry | null;

  @ApiProperty({ type: LineException, isArray: true })
  exceptions!: readonly LineException[];
}

export class PayoutLinePage {
  @ApiProperty({ type: PayoutLine, isArray: true })
  items!: readonly PayoutLine[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;

  @ApiProperty({
    type: LineException, isArray: true, description: "Of the payout's own figures, not of a line.",
  })
  ofFigures!: readonly LineException[];
}

/** $1 payout, $2 and $3 the line before the page, $4 whether only what differs, $5 so many. */
const LINES = `
  SELECT l.kind, l.object_id AS "objectId", l.method, l.currency,
         l.amount_minor::float8 AS "amountMinor", l.fee_minor::float8 AS "feeMinor",
         CASE WHEN j.event_id IS NOT NULL THEN json_build_object(
           'paymentId', j.stream_id, 'currency', j.currency, 'amountMinor', j.amount_minor,
           'feeMinor', j.fees_minor) END AS entry
    FROM payout_lines l
    LEFT JOIN ledger_journal j
      ON j.account_id = l.account_id AND j.kind = l.kind AND j.object_id = l.journal_id
   WHERE l.payout_id = $1 AND ($2::text IS NULL OR (l.kind, l.object_id) > ($2, $3))
     AND (NOT $4 OR (l.kind, l.object_id) IN (
           SELECT line_kind, object_id FROM reconciliation_exceptions
            WHERE payout_id = $1 AND closed_at IS NULL))
   ORDER BY l.kind, l.object_id LIMIT $5`;

const EXCEPTIONS = `
  SELECT line_kind AS "lineKind", object_id AS "objectId", json_build_object(
           'id', exception_id, 'kind', kind, 'expected', expected, 'observed', observed,
           'closedAt', closed_at) AS exception
    FROM reconciliation_exceptions
   WHERE payout_id = $1 AND (line_kind = 'payout' OR object_id = ANY ($2))
   ORDER BY closed_at IS NOT NULL, kind`;

interface ExceptionRow {
  readonly lineKind: string;
  readonly objectId: string;
  readonly exception: LineException;
}

/** `<kind> <id>` of the last line of a page. */
const PLACE = /^(payment|refund|dispute|dispute_reversal) ([\w-]{1,100})$/;

const placeOf = (cursor: string | undefined): readonly [string | null, string | null] => {
  if (cursor === undefined) return [null, null];
  const [, kind, id] = PLACE.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (kind !== undefined && id !== undefined) return [kind, id];
  throw new Problem(422, 'validation_failed', 'cursor is not one that a page gave', {
    errors: [{ detail: 'is not one that a page gave', parameter: 'cursor' }],
  });
};

/** A page of a payout's lines. Throws `Problem` 422 for a cursor that no page gave. */
export const readLines = async (
  pool: Pool, payoutId: string, filter: PayoutLineFilter,
): Promise<PayoutLinePage> => {
  const limit = limitOf(filter);
  const { rows } = await pool.query<Omit<PayoutLine, 'exceptions'>>(LINES, [
    payoutId, ...placeOf(filter.cursor), filter.differing === true, limit + 1,
  ]);
  const page = rows.slice(0, limit);
  const found = await pool.query<ExceptionRow>(
    EXCEPTIONS, [payoutId, page.map(({ objectId }) => objectId)]);
  const items = page.map((line) => ({
    ...line,
    exceptions: found.rows
      .filter(({ lineKind, objectId }) => lineKind === line.kind && objectId === line.objectId)
      .map(({ exception }) => exception),
  }));
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items,
    nextCursor: last === undefined
      ? null : Buffer.from(`${last.kind} ${last.objectId}`).toString('base64url'),
    ofFigures: found.rows
      .filter(({ lineKind }) => lineKind === 'payout')
      .map(({ exception }) => exception),
  };
};
