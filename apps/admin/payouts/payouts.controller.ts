import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { type List, Lists, queryOf } from '#lists';
import { captureIdSql, correctionsOf, EARLIER_LINE, PAYOUT_LINES } from '#payout';
import { Field, Integer, ListOf, Nullable, NullableDateTime, OneOf } from '#platform';
import { Allow } from '../access/allow.js';
import { PAGING } from '../lists/list-controllers.js';
import { Answers } from '../shared/docs.js';

/** What the ledger contains for a payout line: an entry, corrections by operators, or both. */
class LineEntry {
  @Nullable(String, 'The payment of the ledger entry; null: only operators have accepted the line.')
  paymentId!: string | null;

  @Nullable(String, 'The capture of a payment; else null.')
  captureId!: string | null;

  @Field('ISO 4217, lower case.')
  currency!: string;

  @Integer('In minor units.')
  amountMinor!: number;

  @Integer('In minor units.')
  feeMinor!: number;
}

class LineException {
  @Field('The id of the break.')
  id!: string;

  @Field('The kind of break.')
  kind!: string;

  @Field('The ledger’s value.')
  expected!: string;

  @Field('The provider’s value.')
  observed!: string;

  @NullableDateTime('When the break was closed; null: open.')
  closedAt!: string | null;

  @Nullable(String, '`facts` if later facts closed the break, else the operator who closed it.')
  closedBy!: string | null;
}

class PayoutLine {
  @OneOf(
    PAYOUT_LINES.columns.kind.oneOf,
    'The type of the line: payment, refund, dispute or reversed dispute.',
  )
  kind!: (typeof PAYOUT_LINES.columns.kind.oneOf)[number];

  @Field('The provider’s id of the payment, refund or dispute.')
  objectId!: string;

  @Nullable(String, 'The payment method; null: unknown.')
  method!: string | null;

  @Field('ISO 4217, lower case.')
  currency!: string;

  @Integer('In minor units.')
  amountMinor!: number;

  @Nullable('integer', 'In minor units.')
  feeMinor!: number | null;

  @Nullable(LineEntry, 'What the ledger contains for the line; null: nothing.')
  entry!: LineEntry | null;

  @ListOf(LineException, 'The breaks of the line.')
  exceptions!: readonly LineException[];
}

class PayoutLinePage {
  @ListOf(PayoutLine, 'The lines of this page.')
  items!: readonly PayoutLine[];

  @Nullable(String, 'Null on the last page.')
  nextCursor!: string | null;

  @ListOf(LineException, 'Breaks of the payout’s totals.')
  ofFigures!: readonly LineException[];
}

const { kind, providerId, currency, amountMinor, feeMinor } = PAYOUT_LINES.columns;

/** An entry counts for the first line of its object, and for others until they are accepted. */
const ENTRY = `
  (SELECT CASE WHEN j.event_id IS NOT NULL OR c.kind IS NOT NULL THEN json_build_object(
            'paymentId', j.stream_id, 'captureId', ${captureIdSql('j.')},
            'currency', coalesce(j.currency, l.currency),
            'amountMinor', e.counts * coalesce(j.amount_minor, 0) + coalesce(c.amount, 0),
            'feeMinor', e.counts * coalesce(j.fees_minor, 0) + coalesce(c.fee, 0)) END
     FROM (${EARLIER_LINE}) AS d
     LEFT JOIN (${correctionsOf('l.account_id', 'l.payout_id')}) AS c
       ON c.kind = l.kind AND c.object_id = l.object_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN d.other IS NULL OR c.kind IS NULL THEN 1 ELSE 0 END AS counts) AS e)`;

const LINES: List = {
  ...PAYOUT_LINES,
  from: `payout_lines l LEFT JOIN payout_list p ON p.payout_id = l.payout_id
    LEFT JOIN ledger_journal j
      ON j.account_id = l.account_id AND j.kind = l.kind AND j.object_id = l.journal_id`,
  columns: {
    kind,
    objectId: providerId,
    method: { sql: 'l.method' },
    currency,
    amountMinor,
    feeMinor,
    entry: { sql: ENTRY },
  },
  filters: {
    differing: {
      is: 'flag',
      means: 'Only lines with an open break.',
      where: `EXISTS (SELECT FROM reconciliation_exceptions x
        WHERE x.payout_id = l.payout_id AND x.line_kind = l.kind AND x.object_id = l.object_id
          AND x.closed_at IS NULL)`,
    },
  },
};

/** The query of the payout lines to list, by kind and id. */
class PayoutLineQuery extends queryOf(LINES, PAGING) {}

const EXCEPTIONS = `
  SELECT line_kind AS "lineKind", object_id AS "objectId", json_build_object(
           'id', exception_id, 'kind', kind, 'expected', expected, 'observed', observed,
           'closedAt', closed_at, 'closedBy', closed_by) AS exception
    FROM reconciliation_exceptions
   WHERE payout_id = $1 AND (line_kind = 'payout' OR object_id = ANY ($2))
   ORDER BY closed_at IS NOT NULL, kind`;

interface ExceptionRow {
  readonly lineKind: string;
  readonly objectId: string;
  readonly exception: LineException;
}

@ApiTags('Payouts')
@Controller('v1/payouts')
export class PayoutsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly lists: Lists,
  ) {}

  @Get(':id/lines')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'The lines of a payout with their ledger entries' })
  @Answers({ type: PayoutLinePage, description: 'A page of lines.' }, 422)
  async listPayoutLines(
    @Param('id') id: string,
    @Query() query: PayoutLineQuery,
  ): Promise<PayoutLinePage> {
    const page = await this.lists.page<Omit<PayoutLine, 'exceptions'>>(
      LINES,
      [['l.payout_id = ?', id]],
      query,
      PAGING.usual,
    );
    const found = await this.pool.query<ExceptionRow>(EXCEPTIONS, [
      id,
      page.items.map(({ objectId }) => objectId),
    ]);
    const items = page.items.map((line) => ({
      ...line,
      exceptions: found.rows
        .filter(({ lineKind, objectId }) => lineKind === line.kind && objectId === line.objectId)
        .map(({ exception }) => exception),
    }));
    return {
      items,
      nextCursor: page.nextCursor,
      ofFigures: found.rows
        .filter(({ lineKind }) => lineKind === 'payout')
        .map(({ exception }) => exception),
    };
  }
}
