import { applyDecorators, Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { DatabaseError, Pool } from 'pg';
import type { Clock, Instant } from '#kernel';
import { accountIdsOf } from '#ledger';
import { filterField } from '#lists';
import { CLOCK, Problem } from '#platform';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { MoneyAnswer, type MoneyOfCurrency, type MoneySum } from './money-answer.js';
import {
  type BookedRow,
  breaksOfAge,
  daysOf,
  modesOf,
  type MoneyRows,
  moneyRows,
  type Period,
  periodOf,
} from './money-figures.js';

const DAYS = [1, 7, 30] as const;

class MoneyDto {
  @ApiProperty({ enum: DAYS, description: 'The length of the period in days, with today.' })
  @Type(() => Number)
  @IsIn(DAYS)
  days!: (typeof DAYS)[number];

  @ApiPropertyOptional({
    description: 'The time zone of the calendar days.',
    example: 'Europe/Paris',
    default: 'UTC',
  })
  @IsOptional()
  @Matches(/^[\w+/-]{1,64}$/, { message: '$property must be a time zone such as Europe/Paris' })
  timeZone?: string;

  @applyDecorators(
    ...filterField({
      is: 'one',
      of: ACCOUNT_MODES,
      means: 'The mode of the provider accounts; default: live if there is a live account.',
    }),
  )
  mode?: AccountMode;

  @applyDecorators(...filterField({ is: 'id', means: 'Only the money of this platform.' }))
  platformId?: string;

  @applyDecorators(
    ...filterField({
      is: 'id',
      means:
        'Only the money of this merchant; with `platformId` if several platforms have a merchant of this id.',
    }),
  )
  merchantId?: string;
}

/** PostgreSQL's error code for an unknown time zone. */
const INVALID_VALUE = '22023';

/** The values of a `MoneySum`. */
type Sum = Readonly<Pick<MoneySum, 'count' | 'amountMinor'>>;

const NOTHING: Sum = { count: 0, amountMinor: 0 };

const total = (rows: readonly Sum[]): Sum => ({
  count: rows.reduce((sum, { count }) => sum + count, 0),
  amountMinor: rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
});

const ofCurrency = (rows: MoneyRows, currency: string, { days }: Period): MoneyOfCurrency => {
  const own = <Row extends { readonly currency: string }>(all: readonly Row[]) =>
    all.filter((row) => row.currency === currency);
  const booked = own(rows.booked);
  const of = (kind: BookedRow['kind']): Sum => total(booked.filter((row) => row.kind === kind));
  const [authorized] = own(rows.authorized);
  const [uncaptured] = own(rows.uncaptured);
  const [payouts] = own(rows.payouts);
  const declined = own(rows.declined);
  const breaks = own(rows.breaks);
  const today = days.at(-1) ?? '';
  return {
    currency,
    authorized: total(own(rows.authorized)),
    capturedOfAuthorizedMinor: authorized?.capturedMinor ?? 0,
    captured: of('payment'),
    refunded: of('refund'),
    chargedBack: of('dispute'),
    notAuthorized: declined.reduce((sum, { notAuthorized }) => sum + notAuthorized, 0),
    declines: declined.map(({ code, count }) => ({ code, count })),
    uncaptured: total(own(rows.uncaptured)),
    lapsing: {
      count: uncaptured?.lapsing ?? NOTHING.count,
      amountMinor: uncaptured?.lapsingMinor ?? NOTHING.amountMinor,
      soonestAt: uncaptured?.soonestAt ?? null,
    },
    toPayOutMinor: own(rows.owed)[0]?.toPayOutMinor ?? 0,
    payouts: { reconciled: payouts?.reconciled ?? 0, matched: payouts?.matched ?? 0 },
    openBreaks: { ...total(breaks), ages: breaks.map((row) => breaksOfAge(row, today)) },
    days: daysOf(days, booked),
  };
};

/**
 * Whether any money has moved in the currency. A currency without movements has only zeros, and is
 * not shown.
 */
const hasMoney = ({ toPayOutMinor, payouts, ...of }: MoneyOfCurrency): boolean =>
  toPayOutMinor !== 0 ||
  payouts.reconciled > 0 ||
  of.declines.length > 0 ||
  [of.authorized, of.captured, of.refunded, of.chargedBack, of.uncaptured, of.openBreaks].some(
    ({ count }) => count > 0,
  );

@ApiTags('Money')
@Controller('v1/money')
export class MoneyController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'The money of a period by currency, and the money on its way now' })
  @Answers({ type: MoneyAnswer, description: 'The figures.' }, 422)
  async getMoney(@Query() query: MoneyDto): Promise<MoneyAnswer> {
    const { days, timeZone = 'UTC', platformId = null, merchantId } = query;
    const now = this.clock.now();
    const [period, modes] = await Promise.all([
      this.period(now, timeZone, days),
      modesOf(this.pool),
    ]);
    const mode = query.mode ?? modes[0] ?? 'test';
    const accountIds =
      merchantId === undefined
        ? null
        : await accountIdsOf(this.pool, { platformId, merchantId, mode });
    // If there are accounts of one mode only, the statements need not check the mode of each row.
    const isOnly = modes.every((one) => one === mode);
    const scope = { platformId, accountIds, mode: isOnly ? null : mode };
    const rows = await moneyRows(this.pool, scope, period);
    const currencies = [
      ...new Set(
        Object.values(rows)
          .flat()
          .map(({ currency }) => currency),
      ),
    ];
    return {
      now,
      from: period.days[0] ?? '',
      lapsingTo: period.lapsingTo,
      mode,
      modes,
      currencies: currencies
        .map((currency) => ofCurrency(rows, currency, period))
        .filter(hasMoney)
        .toSorted(
          (a, b) => b.captured.count - a.captured.count || a.currency.localeCompare(b.currency),
        ),
    };
  }

  private async period(now: Instant, timeZone: string, days: number): Promise<Period> {
    try {
      return await periodOf(this.pool, now, timeZone, days);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== INVALID_VALUE) throw error;
      const detail = 'must be a time zone such as Europe/Paris';
      throw new Problem(422, 'validation_failed', `the time zone is unknown`, {
        errors: [{ detail, parameter: 'timeZone' }],
      });
    }
  }
}
