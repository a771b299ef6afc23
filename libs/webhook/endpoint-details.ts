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

  /** The details of a row that may have been deleted; null: it was. */
  async read(ref: string): Promise<EndpointDetails | null> {
    const { rows } = await this.pool.query<{ sealed: string }>(
      'SELECT sealed FROM webhook_details WHERE ref = $1',
      [ref],
    );
    const sealed = rows[0]?.sealed;
    return sealed === undefined ? null : this.open(ref, sealed);
  }

  /** Decrypts a row. */
  open(ref: string, sealed: string): EndpointDetails {
    return JSON.parse(this.secretBox.open(sealed, ref)) as EndpointDetails;
  }
}
