import { randomBytes } from 'node:crypto';
import { newId } from '#kernel';
import type { SecretBox } from '#platform';
import type { Pool } from 'pg';

/** The URL and the secret of an endpoint, which are stored encrypted. */
export interface EndpointDetails {
  readonly url: string;
  /** `whsec_` and the base64 of 32 random bytes, as Standard Webhooks define it. */
  readonly secret: string;
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * The table of the endpoints' URLs and secrets. Rows are never changed: an event refers to its row
 * by `detailsRef`.
 */
export class StoredEndpointDetails {
  constructor(
    private readonly pool: Pool,
    private readonly secretBox: SecretBox,
  ) {}

  /** Returns the reference of the new row. */
  async keep(endpointId: string, details: EndpointDetails): Promise<string> {
    const ref = newId('whd');
    await this.pool.query(
      'INSERT INTO webhook_details (ref, endpoint_id, sealed) VALUES ($1, $2, $3)',
      [ref, endpointId, this.secretBox.seal(JSON.stringify(details), ref)],
    );
    return ref;
  }

  /** The details of these references that still exist, by reference. */
  async read(refs: readonly string[]): Promise<ReadonlyMap<string, EndpointDetails>> {
    const { rows } = await this.pool.query<{ ref: string; sealed: string }>({
      name: 'webhook-details',
      text: 'SELECT ref, sealed FROM webhook_details WHERE ref = ANY ($1)',
      values: [refs],
    });
    return new Map(
      rows.map(({ ref, sealed }) => [
        ref,
        JSON.parse(this.secretBox.open(sealed, ref)) as EndpointDetails,
      ]),
    );
  }
}
