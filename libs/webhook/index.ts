export { endpointAggregate } from './domain/endpoint-aggregate.js';
export type { EndpointCommand } from './domain/endpoint-command.js';
export { endpointDecider, FORMER_SECRET_MS } from './domain/endpoint-decider.js';
export {
  type DisabledReason,
  type EndpointEvent,
  type EndpointTerms,
  TEST_EVENT,
} from './domain/endpoint-event.js';
export { type EndpointHealth, shouldDisable } from './domain/endpoint-health.js';
export type { Endpoint, KnownEndpoint } from './domain/endpoint.js';
export { matchesPattern } from './domain/event-pattern.js';
export { MAX_ATTEMPTS, retryDelayMs } from './domain/retry-schedule.js';
export {
  type EndpointDetails,
  newSecret,
  StoredEndpointDetails,
  type WantedEndpoint,
} from './endpoint-details.js';
export { EndpointUrl, EventPatterns, EventsOfMerchant } from './endpoint-fields.js';
export { mustHaveRoom } from './endpoint-limit.js';
export { DELIVERY_LIST, DELIVERY_STATES } from './read/delivery-list.js';
export { signedHeaders } from './signed-message.js';
export { faultOfUrl, mustBeAllowed, WEBHOOK_TARGETS, type WebhookTargets } from './target-url.js';
