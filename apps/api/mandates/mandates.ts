import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';

const KNOWN = `
  SELECT EXISTS (SELECT FROM mandate_use
                  WHERE platform_id = $1 AND account_id = $2 AND mandate_id = $3) AS known`;

/** Mandates as projected from the debits, a moment later. */
@Injectable()
export class Mandates {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Whether a payer of this platform's account has signed it: no other account may use it. */
  async isKnown(platformId: string, accountId: string, mandateId: string): Promise<boolean> {
    const values = [platformId, accountId, mandateId];
    const { rows } = await this.pool.query<{ known: boolean }>({
      name: 'mandate-known',
      text: KNOWN,
      values,
    });
    return rows[0]?.known ?? false;
  }
}
