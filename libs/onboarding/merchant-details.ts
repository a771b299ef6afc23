import type { Pool } from 'pg';
import { newId } from '#kernel';
import type { SecretBox } from '#platform';
import type { CompanyDetails } from '#psp';

/**
 * The personal data of a merchant's people: encrypted, in rows of their own that events name by
 * `ref` and that can be erased. Rows are stored until the company is registered: from then on the
 * provider has the data, and we read it there. A row is written before the step that names it, so a
 * crash may leave one that no event names; it is deleted after a day.
 */
export class MerchantDetails {
  /** `upcast`: older rows were encrypted in the provider's shape. */
  constructor(
    private readonly pool: Pool,
    private readonly secretBox: SecretBox,
    private readonly upcast: (details: object) => CompanyDetails,
  ) {}

  /** Returns the reference of the new row. */
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

  /** One row that no event names, or that another has replaced. */
  async drop(ref: string): Promise<void> {
    await this.pool.query('DELETE FROM merchant_details WHERE ref = $1', [ref]);
  }

  /** All rows of the merchant; may be repeated. */
  async erase(merchantId: string): Promise<void> {
    await this.pool.query('DELETE FROM merchant_details WHERE merchant_id = $1', [merchantId]);
  }
}
