import type { Pool } from 'pg';
import { newId } from '#kernel';
import type { SecretBox } from '#platform';
import type { CompanyDetails } from '#psp';

/**
 * Who a merchant's people are and where they live: sealed, in rows of their own that events name by
 * `ref` and that can be erased. They are kept until the company is registered: from then on the
 * provider has them, and we ask it. A row is written before the step that names it, so one that no
 * event names may be left by a crash; it is swept after a day.
 */
export class MerchantDetails {
  /** `upcast`: rows of before were sealed as the provider takes them. */
  constructor(
    private readonly pool: Pool,
    private readonly secretBox: SecretBox,
    private readonly upcast: (details: object) => CompanyDetails,
  ) {}

  /** Answers the reference of the new row. */
  async keep(merchantId: string, details: CompanyDetails): Promise<string> {
    const ref = newId('det');
    await this.pool.query(
      'INSERT INTO merchant_details (ref, merchant_id, sealed) VALUES ($1, $2, $3)',
      [ref, merchantId, this.secretBox.seal(JSON.stringify(details), ref)],
    );
    return ref;
  }

  /** Null once they have been erased. */
  async read(ref: string): Promise<CompanyDetails | null> {
    const { rows } = await this.pool.query<{ sealed: string }>({
      name: 'merchant-details',
      text: 'SELECT sealed FROM merchant_details WHERE ref = $1',
      values: [ref],
    });
    const sealed = rows[0]?.sealed;
    if (sealed === undefined) return null;
    const details = JSON.parse(this.secretBox.open(sealed, ref)) as object;
    return 'company' in details ? (details as CompanyDetails) : this.upcast(details);
  }

  /** One row that no event names, or that another has taken the place of. */
  async drop(ref: string): Promise<void> {
    await this.pool.query('DELETE FROM merchant_details WHERE ref = $1', [ref]);
  }

  /** All rows of the merchant; may be repeated. */
  async erase(merchantId: string): Promise<void> {
    await this.pool.query('DELETE FROM merchant_details WHERE merchant_id = $1', [merchantId]);
  }
}
