import type { Pool } from 'pg';

/** A merchant that waits for a person. */
export interface MerchantException {
  readonly merchantId: string;
  readonly status: string;
  /** Nothing was heard of its company for longer than its status lasts; null where it was. */
  readonly silentSince: Date | null;
  /** What nobody knows the outcome of, and since when; looked for meanwhile. */
  readonly unknownCalls: readonly string[];
  readonly unknownSince: Date | null;
  /** What the provider showed that cannot be, and since when nobody has looked into it. */
  readonly mismatches: readonly string[];
  readonly mismatchedSince: Date | null;
}

const MAX_LISTED = 1_000;

const WAITS = `
  silent_since IS NOT NULL OR unknown_since IS NOT NULL OR mismatched_since IS NOT NULL`;

export interface MerchantExceptionCounts {
  readonly silent: number;
  readonly unknown: number;
  readonly mismatch: number;
}

/** Merchants that wait for a person, as the projection tells. */
export class MerchantExceptions {
  constructor(private readonly pool: Pool) {}

  /** Longest first, at most 1000. */
  async list(): Promise<readonly MerchantException[]> {
    const { rows } = await this.pool.query<MerchantException>(
      `SELECT merchant_id AS "merchantId", status, silent_since AS "silentSince",
              unknown_calls AS "unknownCalls", unknown_since AS "unknownSince",
              mismatches, mismatched_since AS "mismatchedSince"
         FROM merchant_exceptions WHERE ${WAITS}
        ORDER BY least(silent_since, unknown_since, mismatched_since), merchant_id
        LIMIT ${MAX_LISTED}`,
    );
    return rows;
  }

  /** By why they wait; one merchant may for several reasons. */
  async counts(): Promise<MerchantExceptionCounts> {
    const { rows } = await this.pool.query<MerchantExceptionCounts>(
      `SELECT count(silent_since)::int AS silent, count(unknown_since)::int AS unknown,
              count(mismatched_since)::int AS mismatch
         FROM merchant_exceptions WHERE ${WAITS}`,
    );
    return rows[0] ?? { silent: 0, unknown: 0, mismatch: 0 };
  }
}
