import type { Pool } from 'pg';

/** A merchant that needs an operator. */
export interface MerchantException {
  readonly merchantId: string;
  readonly status: string;
  /** Since when the company's next status is overdue; null if it is not overdue. */
  readonly statusOverdueSince: Date | null;
  /** The kinds of calls with an unknown result, and since when each result is searched for. */
  readonly unknownResults: readonly string[];
  readonly unknownSince: Date | null;
  /** The status mismatches that no operator has reviewed yet, and when each was recorded. */
  readonly mismatches: readonly string[];
  readonly mismatchedSince: Date | null;
}

const MAX_LISTED = 1_000;

const WAITS = `
  status_overdue_since IS NOT NULL OR unknown_since IS NOT NULL OR mismatched_since IS NOT NULL`;

export interface MerchantExceptionCounts {
  readonly silent: number;
  readonly unknown: number;
  readonly mismatch: number;
}

/** Merchants that need an operator, from the read model. */
export class MerchantExceptions {
  constructor(private readonly pool: Pool) {}

  /** The merchants that have waited longest come first, at most 1000. */
  async list(): Promise<readonly MerchantException[]> {
    const { rows } = await this.pool.query<MerchantException>(
      `SELECT merchant_id AS "merchantId", status, status_overdue_since AS "statusOverdueSince",
              unknown_results AS "unknownResults", unknown_since AS "unknownSince",
              mismatches, mismatched_since AS "mismatchedSince"
         FROM merchant_attention WHERE ${WAITS}
        ORDER BY least(status_overdue_since, unknown_since, mismatched_since), merchant_id
        LIMIT ${MAX_LISTED}`,
    );
    return rows;
  }

  /** The number of merchants per reason; one merchant may count for several reasons. */
  async counts(): Promise<MerchantExceptionCounts> {
    const { rows } = await this.pool.query<MerchantExceptionCounts>(
      `SELECT count(status_overdue_since)::int AS silent, count(unknown_since)::int AS unknown,
              count(mismatched_since)::int AS mismatch
         FROM merchant_attention WHERE ${WAITS}`,
    );
    return rows[0] ?? { silent: 0, unknown: 0, mismatch: 0 };
  }
}
