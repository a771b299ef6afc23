import type { Schemas } from '../api/client';
import type { Tone } from '../shared/status-badge';

export type WebhookEndpointStatus = Schemas['WebhookEndpointItem']['status'];

/** `deleted` is not a status in lists; only the state computed from the events has it. */
export const WEBHOOK_ENDPOINT_TONES: Readonly<Record<WebhookEndpointStatus | 'deleted', Tone>> = {
  enabled: 'ok',
  failing: 'wait',
  disabled: 'bad',
  deleted: 'calm',
};
