import type { Instant } from '#kernel';
import type { DisabledReason, EndpointTerms } from './endpoint-event.js';

/** An endpoint that exists: a URL of the platform to which events are sent. */
export type KnownEndpoint = {
  readonly platformId: string;
  readonly terms: EndpointTerms;
  /** Until then messages are signed with the former secret, too; null if there was none. */
  readonly formerUntil: Instant | null;
} & (
  | { readonly status: 'enabled' }
  | { readonly status: 'disabled'; readonly reason: DisabledReason }
);

export type Endpoint =
  | { readonly status: 'none' }
  | KnownEndpoint
  | { readonly status: 'deleted'; readonly platformId: string };
