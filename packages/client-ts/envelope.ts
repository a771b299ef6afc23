import type { CloudEvent } from './schema.js';

/**
 * An event of a known type, as webhooks and `GET /v1/events` send it. Later releases may add fields
 * to `Data`, and event types: ignore what you do not know.
 */
export interface Envelope<
  Type extends string,
  Stream extends string,
  Version extends number,
  Data,
> extends Omit<CloudEvent, 'type' | 'source' | 'dataschema' | 'data'> {
  readonly type: `payment-orchestrator.${Type}`;
  readonly source: `/payment-orchestrator/${Stream}`;
  readonly dataschema: `urn:payment-orchestrator:schema:${Type}:${Version}`;
  readonly data: Data;
}
