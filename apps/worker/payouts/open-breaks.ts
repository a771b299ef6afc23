import type { Pool } from 'pg';
import type { Instant } from '#kernel';
import { firstRow } from '#platform';

/** The number of open reconciliation breaks by their age in days, e.g. `2-6`. */
export type OpenBreaks = Readonly<Record<'0-1' | '2-6' | '7-29' | '30+', number>>;

const NONE: OpenBreaks = { '0-1': 0, '2-6': 0, '7-29': 0, '30+': 0 };

const COUNTS = `
  SELECT count(*) FILTER (WHERE days < 2)::int AS "0-1",
         count(*) FILTER (WHERE days BETWEEN 2 AND 6)::int AS "2-6",
         count(*) FILTER (WHERE days BETWEEN 7 AND 29)::int AS "7-29",
         count(*) FILTER (WHERE days >= 30)::int AS "30+"
    FROM (SELECT ($1::timestamptz AT TIME ZONE 'UTC')::date - since AS days
            FROM reconciliation_exceptions WHERE closed_at IS NULL) AS open`;

/** Reads the index of open breaks only. */
export const openBreaks = async (pool: Pool, now: Instant): Promise<OpenBreaks> =>
  (await firstRow<OpenBreaks>(pool, COUNTS, [now])) ?? NONE;
