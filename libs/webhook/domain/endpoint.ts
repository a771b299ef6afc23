import type { Instant } from '#kernel';
import type { DisabledReason, EndpointTerms } from './endpoint-event.js';

/** An endpoint that exists: a URL of the platform to which events are sent. */
export type KnownEndpoint = {
  readonly platformId: string;
  readonly terms: EndpointTerms;
  /**
   * The time until which messages are also signed with the former secret; null: there is no former
   * secret.
   */
  readonly formerUntil: Instant | null;
} & (
  | { readonly status: 'enabled' }
  | { readonly status: 'disabled'; readonly reason: DisabledReason }
);

export type Endpoint =
  | { readonly status: 'none' }
  | KnownEndpoint
  | { readonly status: 'deleted'; readonly platformId: string };
