import type { Dated, Instant } from '#kernel';

/** Which events an endpoint receives, and where its URL and its secret are stored. */
export interface EndpointTerms {
  /** The host of the URL. The URL itself may contain a secret, so no event contains it. */
  readonly host: string;
  /** Patterns of event types: an event type, a prefix followed by `*`, or `*`. */
  readonly eventTypes: readonly string[];
  /** The merchant whose events are sent; null: the events of all merchants. */
  readonly merchantId: string | null;
  /** The reference of the encrypted URL and secret. */
  readonly detailsRef: string;
}

/**
 * The type of a test event, which is sent once, to the tested endpoint only, whatever event types
 * this endpoint receives.
 */
export const TEST_EVENT = 'WebhookEndpointTested';

/**
 * Why an endpoint was disabled. `requested`: by the platform. `operator`: by an operator of the
 * service. `failing`: no delivery has succeeded for three days. `unsubscribed`: the receiver has
 * responded with the status 410.
 */
export type DisabledReason = 'requested' | 'operator' | 'failing' | 'unsubscribed';

export type EndpointEvent = Dated<
  /** A webhook endpoint of the platform was created, to which events are sent from now on. */
  | ({
      readonly type: 'WebhookEndpointCreated';
      /** The platform whose events are sent. */
      readonly platformId: string;
    } & EndpointTerms)
  /** The platform changed the URL, the event types or the merchant of a webhook endpoint. */
  | ({ readonly type: 'WebhookEndpointChanged' } & EndpointTerms)
  /** The platform rotated the secret with which messages to the webhook endpoint are signed. */
  | {
      readonly type: 'WebhookSecretRotated';
      /** The reference of the new secret. */
      readonly detailsRef: string;
      /** Until then, messages are signed with the former secret, too. */
      readonly formerUntil: Instant;
    }
  /** The platform requested a test: this event is sent to the webhook endpoint. */
  | { readonly type: 'WebhookEndpointTested' }
  /** Events are no longer sent to the webhook endpoint. */
  | {
      readonly type: 'WebhookEndpointDisabled';
      /** Why the endpoint was disabled. */
      readonly reason: DisabledReason;
    }
  /** Events are sent to the webhook endpoint again. */
  | { readonly type: 'WebhookEndpointEnabled' }
  /** The platform deleted the webhook endpoint, with its URL and its secret. */
  | { readonly type: 'WebhookEndpointDeleted' }
>;
