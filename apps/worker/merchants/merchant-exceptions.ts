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
}

const MAX_LISTED = 1_000;

/** Merchants that wait for a person, as the projection tells. */
export class MerchantExceptions {
  constructor(private readonly pool: Pool) {}

  /** Longest first, at most 1000. */
  async list(): Promise<readonly MerchantException[]> {
    const { rows } = await this.pool.query<MerchantException>(
      `SELECT merchant_id AS "merchantId", status, silent_since AS "silentSince",
              unknown_calls AS "unknownCalls", unknown_since AS "unknownSince"
         FROM merchant_exceptions WHERE silent_since IS NOT NULL OR unknown_since IS NOT NULL
        ORDER BY least(silent_since, unknown_since), merchant_id LIMIT ${MAX_LISTED}`,
    );
    return rows;
  }

  async counts(): Promise<{ readonly silent: number; readonly unknown: number }> {
    const { rows } = await this.pool.query<{ silent: number; unknown: number }>(
      `SELECT count(silent_since)::int AS silent, count(unknown_since)::int AS unknown
         FROM merchant_exceptions WHERE silent_since IS NOT NULL OR unknown_since IS NOT NULL`,
    );
    return rows[0] ?? { silent: 0, unknown: 0 };
  }
}
