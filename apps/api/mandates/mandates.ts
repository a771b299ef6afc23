import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** A mandate that a platform's payer signed, by its debits. */
export interface KnownMandate {
  /** The provider's (`sepa_…`). */
  readonly id: string;
  readonly merchantId: string;
  readonly mode: 'test' | 'live';
  readonly firstOrderId: string;
  readonly debits: number;
  readonly firstDebitAt: Date;
  readonly lastDebitAt: Date;
}

export interface MandateSearch {
  readonly merchantId: string | null;
  /** The mandates after this one, by id. */
  readonly after: string | null;
  readonly limit: number;
}

const LIST = `
  SELECT u.mandate_id AS id, a.merchant_id AS "merchantId", a.mode,
         (array_agg(u.order_id ORDER BY u.debited_at, u.payment_id))[1] AS "firstOrderId",
         count(*)::int AS debits, min(u.debited_at) AS "firstDebitAt",
         max(u.debited_at) AS "lastDebitAt"
    FROM mandate_use u JOIN provider_accounts a ON a.id = u.account_id
   WHERE u.platform_id = $1 AND u.mandate_id IS NOT NULL
     AND ($2::text IS NULL OR a.merchant_id = $2)
     AND ($3::text IS NULL OR u.mandate_id > $3)
   GROUP BY u.mandate_id, a.merchant_id, a.mode
   ORDER BY u.mandate_id LIMIT $4`;

const KNOWN = `
  SELECT EXISTS (SELECT FROM mandate_use
                  WHERE platform_id = $1 AND account_id = $2 AND mandate_id = $3) AS known`;

/** Mandates as the debits tell them, a moment later. */
@Injectable()
export class Mandates {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async list(platformId: string, search: MandateSearch): Promise<readonly KnownMandate[]> {
    const { merchantId, after, limit } = search;
    const values = [platformId, merchantId, after, limit];
    return (await this.pool.query<KnownMandate>({ name: 'mandates', text: LIST, values })).rows;
  }

  /** Whether a payer of this platform's account has signed it: no other account may use it. */
  async isKnown(platformId: string, accountId: string, mandateId: string): Promise<boolean> {
    const values = [platformId, accountId, mandateId];
    const { rows } = await this.pool.query<{ known: boolean }>({
      name: 'mandate-known', text: KNOWN, values,
    });
    return rows[0]?.known ?? false;
  }
}
