import type { Pool } from 'pg';
import type { Instant } from '#kernel';
import { OVERDUE_JOBS } from '#jobs';
import type { MerchantMode, MerchantRead } from '#onboarding';
import { MAX_REFUSAL_RETRY_MS } from './merchant-reader.js';

const OLDEST = `
  SELECT m.mode, extract(epoch FROM $1::timestamptz - min(open.since))::float8 AS seconds
    FROM (${OVERDUE_JOBS}) AS open
    JOIN merchant_list m ON m.merchant_id = open.key
   GROUP BY m.mode`;

/**
 * For how many seconds the oldest read of this kind has been due in each mode, also if its runs
 * fail; 0 if no read is due.
 */
export const overdueReads = async (
  pool: Pool,
  now: Instant,
  kind: MerchantRead,
): Promise<Readonly<Record<MerchantMode, number>>> => {
  const { rows } = await pool.query<{ mode: MerchantMode; seconds: number }>({
    name: 'overdue-merchant-reads',
    text: OLDEST,
    values: [now, kind, MAX_REFUSAL_RETRY_MS],
  });
  const secondsIn = (mode: MerchantMode): number =>
    Math.max(0, rows.find((row) => row.mode === mode)?.seconds ?? 0);
  return { test: secondsIn('test'), live: secondsIn('live') };
};
