import { randomBytes } from 'node:crypto';
import { newId } from '#kernel';
import type { SecretBox } from '#platform';
import type { Pool } from 'pg';
import type { EndpointTerms } from './domain/endpoint-event.js';

/** The URL and the secret of an endpoint, which are stored encrypted. */
export interface EndpointDetails {
  readonly url: string;
  /** `whsec_` and the base64 of 32 random bytes, as Standard Webhooks define it. */
  readonly secret: string;
}

/** A new endpoint, as it is requested. */
export interface WantedEndpoint {
  readonly url: string;
  /** The patterns of the event types to send; default: all event types. */
  readonly eventTypes?: readonly string[];
  /** The merchant whose events are sent; default: all merchants of the platform. */
  readonly merchantId?: string | null;
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

  /**
   * Stores the URL of a new endpoint with a new secret; returns the fields that the event about the
   * endpoint contains.
   */
  async keepNew(
    endpointId: string,
    { url, eventTypes, merchantId }: WantedEndpoint,
  ): Promise<EndpointTerms> {
    const detailsRef = await this.keep(endpointId, { url, secret: newSecret() });
    const { host } = new URL(url);
    return { host, eventTypes: eventTypes ?? ['*'], merchantId: merchantId ?? null, detailsRef };
  }

  /** The details of a row; null if the row was deleted. */
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
