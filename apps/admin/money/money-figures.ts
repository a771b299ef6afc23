import type { Pool } from 'pg';
import { assert, type Instant } from '#kernel';
import { atRiskMinor, PAYOUT_RECONCILIATIONS } from '#payout';
import { firstRow } from '#platform';
import type { AccountMode } from '#psp';
import type { BreaksOfAge, MoneyDay } from './money-answer.js';

/** The scope of the sums; null means that the field does not restrict the scope. */
export interface MoneyOf {
  readonly platformId: string | null;
  readonly accountIds: readonly string[] | null;
  readonly mode: AccountMode | null;
}

/** The period in business time, by the calendar days of a time zone; days are YYYY-MM-DD. */
export interface Period {
  /** The days of the period, oldest first, the last of which is today. */
  readonly days: readonly string[];
  /** The instants at which each day begins and at which the next day begins. */
  readonly begins: readonly Date[];
  readonly ends: readonly Date[];
  /**
   * The last day on which authorizations count as expiring soon, and the instant at which this day
   * ends.
   */
  readonly lapsingTo: string;
  readonly lapsingEnds: Date;
}

/** Authorizations count as expiring soon if they expire today or within this many further days. */
const LAPSING_DAYS = 2;

/**
 * Returns one row for all days of the period: the elements of each array are in the order of the
 * days.
 */
const PERIOD = `
  SELECT array_agg(to_char(day, 'YYYY-MM-DD') ORDER BY day) FILTER (WHERE n <= 0) AS days,
         array_agg(day AT TIME ZONE $2 ORDER BY day) FILTER (WHERE n <= 0) AS begins,
         array_agg((day + interval '1 day') AT TIME ZONE $2 ORDER BY day) FILTER (WHERE n <= 0)
           AS ends,
         to_char(max(day), 'YYYY-MM-DD') AS "lapsingTo",
         (max(day) + interval '1 day') AT TIME ZONE $2 AS "lapsingEnds"
    FROM generate_series(1 - $3::int, ${LAPSING_DAYS}) AS n,
         LATERAL (SELECT date_trunc('day', $1::timestamptz AT TIME ZONE $2)
                         + n * interval '1 day' AS day) AS of`;

/** Throws PostgreSQL's error 22023 for a time zone that it does not know. */
export const periodOf = async (
  pool: Pool,
  now: Instant,
  timeZone: string,
  days: number,
): Promise<Period> => {
  const row = await firstRow<Period>(pool, PERIOD, [now, timeZone, days]);
  assert(row !== undefined, 'an aggregate is one row');
  return row;
};

const MODES = `
  SELECT m.mode FROM unnest(ARRAY['live', 'test']) AS m(mode)
   WHERE EXISTS (SELECT FROM provider_accounts a WHERE a.mode = m.mode) ORDER BY m.mode`;

/** The modes in which there are provider accounts, live first. */
export const modesOf = async (pool: Pool): Promise<readonly AccountMode[]> => {
  const { rows } = await pool.query<{ mode: AccountMode }>(MODES);
  return rows.map(({ mode }) => mode);
};

/**
 * SQL: the condition that restricts a statement to the scope `MoneyOf`. The values of the scope are
 * always the first three parameters of the statement.
 */
const IN_SCOPE = `
  ($1::text IS NULL OR platform_id = $1) AND ($2::text[] IS NULL OR account_id = ANY ($2))
  AND ($3::text IS NULL OR account_id IN (SELECT a.id FROM provider_accounts a WHERE a.mode = $3))`;

interface OfCurrency {
  readonly currency: string;
}

export interface BookedRow extends OfCurrency {
  readonly day: string;
  readonly kind: 'payment' | 'refund' | 'dispute';
  readonly count: number;
  readonly amountMinor: number;
}

/**
 * Sums up each day separately. The index finds the rows of a day by their range of times, so the
 * calendar day of each row need not be computed.
 */
const BOOKED = `
  SELECT d.day, j.* FROM unnest($4::text[], $5::timestamptz[], $6::timestamptz[]) AS d(day, begins, ends)
   CROSS JOIN LATERAL (
     SELECT currency, kind, count(*)::int AS count, sum(amount_minor)::float8 AS "amountMinor"
       FROM ledger_journal
      WHERE kind IN ('payment', 'refund', 'dispute') AND at >= d.begins AND at < d.ends
        AND ${IN_SCOPE}
      GROUP BY currency, kind) j`;

export interface AuthorizedRow extends OfCurrency {
  readonly count: number;
  readonly amountMinor: number;
  readonly capturedMinor: number;
}

/** A direct debit has no accepted capture: the provider collects it without a capture request. */
const AUTHORIZED = `
  SELECT currency, count(*)::int AS count, sum(amount_minor)::float8 AS "amountMinor",
         sum(greatest(captured_minor, accepted_minor))::float8 AS "capturedMinor"
    FROM payment_list WHERE authorized_at >= $4 AND ${IN_SCOPE} GROUP BY currency`;

export interface DeclinedRow extends OfCurrency {
  readonly code: string | null;
  readonly count: number;
  readonly notAuthorized: number;
}

const DECLINED = `
  SELECT currency, decline_code AS code, count(*)::int AS count,
         count(*) FILTER (WHERE authorized_at IS NULL)::int AS "notAuthorized"
    FROM payment_list WHERE declined_at >= $4 AND ${IN_SCOPE}
   GROUP BY currency, decline_code ORDER BY count DESC, code`;

export interface UncapturedRow extends OfCurrency {
  readonly count: number;
  readonly amountMinor: number;
  readonly lapsing: number;
  readonly lapsingMinor: number;
  readonly soonestAt: Date | null;
}

const UNCAPTURED = `
  SELECT currency, count(*)::int AS count, sum(amount_minor)::float8 AS "amountMinor",
         count(*) FILTER (WHERE expires_at < $4)::int AS lapsing,
         coalesce(sum(amount_minor) FILTER (WHERE expires_at < $4), 0)::float8 AS "lapsingMinor",
         min(expires_at) FILTER (WHERE expires_at < $4) AS "soonestAt"
    FROM payment_list WHERE status = 'authorized' AND ${IN_SCOPE} GROUP BY currency`;

export interface OwedRow extends OfCurrency {
  readonly toPayOutMinor: number;
}

const OWED = `
  SELECT currency, sum(provider_minor)::float8 AS "toPayOutMinor"
    FROM ledger_balances WHERE ${IN_SCOPE} GROUP BY currency`;

export interface PayoutsRow extends OfCurrency {
  readonly reconciled: number;
  readonly matched: number;
}

const { matched, unread } = PAYOUT_RECONCILIATIONS;

const PAYOUTS = `
  SELECT currency, count(*) FILTER (WHERE NOT ${unread})::int AS reconciled,
         count(*) FILTER (WHERE ${matched})::int AS matched
    FROM payout_list WHERE date >= $4 AND ${IN_SCOPE} GROUP BY currency`;

export interface BreaksRow extends OfCurrency {
  readonly age: number;
  readonly count: number;
  readonly amountMinor: number;
}

/**
 * The age ranges of reconciliation breaks, in whole days: the lowest and the highest age of each
 * range.
 */
const AGES = [
  [0, 1],
  [2, 7],
  [8, 30],
  [31, null],
] as const;

const AGE = `CASE ${AGES.map(([min], age) => `WHEN days >= ${min} THEN ${age}`)
  .toReversed()
  .join(' ')} END`;

const BREAKS = `
  SELECT currency, ${AGE} AS age, count(*)::int AS count, sum(amount_minor)::float8 AS "amountMinor"
    FROM (SELECT currency, ${atRiskMinor('reconciliation_exceptions')} AS amount_minor,
                 greatest($4::date - since, 0) AS days
            FROM reconciliation_exceptions WHERE closed_at IS NULL AND ${IN_SCOPE}) AS open
   GROUP BY 1, 2 ORDER BY 1, 2`;

const dayBefore = (today: string, days: number): string => {
  const day = new Date(`${today}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - days);
  return day.toISOString().slice(0, 10);
};

/**
 * The number of breaks in an age range, with the range of days on which these breaks began, counted
 * from the day `today`.
 */
export const breaksOfAge = ({ age, count }: BreaksRow, today: string): BreaksOfAge => {
  const [minDays, maxDays] = AGES[age] ?? AGES[0];
  return {
    minDays,
    maxDays,
    sinceFrom: maxDays === null ? null : dayBefore(today, maxDays),
    // The range of the youngest breaks has no end, because a payout may have a date in the future.
    sinceTo: minDays === 0 ? null : dayBefore(today, minDays),
    count,
  };
};

export interface MoneyRows {
  readonly booked: readonly BookedRow[];
  readonly authorized: readonly AuthorizedRow[];
  readonly declined: readonly DeclinedRow[];
  readonly uncaptured: readonly UncapturedRow[];
  readonly owed: readonly OwedRow[];
  readonly payouts: readonly PayoutsRow[];
  readonly breaks: readonly BreaksRow[];
}

/**
 * Reads the figures of all currencies. Each of the statements reads only an index or a small table.
 */
export const moneyRows = async (
  pool: Pool,
  { platformId, accountIds, mode }: MoneyOf,
  { days, begins, ends, lapsingEnds }: Period,
): Promise<MoneyRows> => {
  const read = async <Row extends OfCurrency>(sql: string, ...values: readonly unknown[]) =>
    (await pool.query<Row>(sql, [platformId, accountIds, mode, ...values])).rows;
  const [booked, authorized, declined, uncaptured, owed, payouts, open] = await Promise.all([
    read<BookedRow>(BOOKED, days, begins, ends),
    read<AuthorizedRow>(AUTHORIZED, begins[0]),
    read<DeclinedRow>(DECLINED, begins[0]),
    read<UncapturedRow>(UNCAPTURED, lapsingEnds),
    read<OwedRow>(OWED),
    read<PayoutsRow>(PAYOUTS, days[0]),
    read<BreaksRow>(BREAKS, days.at(-1)),
  ]);
  return { booked, authorized, declined, uncaptured, owed, payouts, breaks: open };
};

/** The booked amounts of each day; a day without entries has zero amounts. */
export const daysOf = (days: readonly string[], booked: readonly BookedRow[]): MoneyDay[] => {
  const on = (day: string, kind: BookedRow['kind']): number =>
    booked.find((row) => row.day === day && row.kind === kind)?.amountMinor ?? 0;
  return days.map((day) => ({
    day,
    capturedMinor: on(day, 'payment'),
    refundedMinor: on(day, 'refund'),
    chargedBackMinor: on(day, 'dispute'),
  }));
};
