import type { Pool } from 'pg';
import { StepConflict } from '#log';
import { newId, Rejection } from '#kernel';
import type { SecretBox } from '#platform';
import type { CompanyDetails } from '#psp';

/**
 * The personal data of a merchant's people, encrypted, in rows that can be erased. Events refer to
 * a row by its `ref`. A row is stored until the company is registered, because afterwards the data
 * are read from the provider. A row is written before the step with the event that refers to it. If
 * the process crashes in between, no event refers to the row, and the row is deleted after a day.
 */
export class MerchantDetails {
  /** `upcast` converts older rows, which were encrypted in the provider's format. */
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

  /** The details of a row; null after the details were erased. */
  async read(ref: string): Promise<CompanyDetails | null> {
    const { rows } = await this.pool.query<{ sealed: string }>(
      'SELECT sealed FROM merchant_details WHERE ref = $1',
      [ref],
    );
    const sealed = rows[0]?.sealed;
    if (sealed === undefined) return null;
    const details = JSON.parse(this.secretBox.open(sealed, ref)) as object;
    return 'company' in details ? (details as CompanyDetails) : this.upcast(details);
  }

  /**
   * The details of a merchant that was read before. Throws `Rejection('personal_data_erased')` if
   * the merchant's data were erased, and `StepConflict` if the row was deleted after the merchant
   * was read: the company was registered meanwhile, or the details were changed or erased.
   */
  async mustRead(ref: string | null): Promise<CompanyDetails> {
    if (ref === null) {
      throw new Rejection(
        'personal_data_erased',
        'the personal data of this merchant have been erased here and cannot be used any more',
      );
    }
    const details = await this.read(ref);
    if (details !== null) return details;
    throw new StepConflict('the details or the registration have changed meanwhile');
  }

  /** Deletes a row that no event names, or that another row has replaced. */
  async drop(ref: string): Promise<void> {
    await this.pool.query('DELETE FROM merchant_details WHERE ref = $1', [ref]);
  }

  /** Deletes all rows of the merchant; may be repeated. */
  async erase(merchantId: string): Promise<void> {
    await this.pool.query('DELETE FROM merchant_details WHERE merchant_id = $1', [merchantId]);
  }
}
