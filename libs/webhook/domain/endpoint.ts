import type { DisabledReason, EndpointTerms } from './endpoint-event.js';

/** An endpoint that exists: a URL of the platform to which events are sent. */
export type KnownEndpoint = { readonly platformId: string; readonly terms: EndpointTerms } & (
  | { readonly status: 'enabled' }
  | { readonly status: 'disabled'; readonly reason: DisabledReason }
);

export type Endpoint =
  | { readonly status: 'none' }
  | KnownEndpoint
  | { readonly status: 'deleted'; readonly platformId: string };
