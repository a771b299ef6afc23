import { type Aggregate, NO_FOLLOW_UPS, type Upcaster } from '#kernel';
import type { EndpointCommand } from './endpoint-command.js';
import { endpointDecider } from './endpoint-decider.js';
import type { EndpointEvent } from './endpoint-event.js';
import type { Endpoint } from './endpoint.js';

/** The upcasters of older event schemas. */
const UPCASTERS: Readonly<Record<EndpointEvent['type'], readonly Upcaster[]>> = {
  WebhookEndpointCreated: [],
  WebhookEndpointChanged: [],
  WebhookSecretRotated: [],
  WebhookEndpointTested: [],
  WebhookEndpointDisabled: [],
  WebhookEndpointEnabled: [],
  WebhookEndpointDeleted: [],
};

/**
 * The aggregate of the endpoints to which webhooks are sent. Its stream has the id of the endpoint
 * (`whe_…`). A database trigger derives the table `webhook_endpoints` from the events.
 */
export const endpointAggregate: Aggregate<Endpoint, EndpointCommand, EndpointEvent> = {
  streamType: 'webhook_endpoint',
  decider: endpointDecider,
  upcasters: UPCASTERS,
  ownerOf: (endpoint) => (endpoint.status === 'none' ? null : { platformId: endpoint.platformId }),
  followUps: () => NO_FOLLOW_UPS,
};
