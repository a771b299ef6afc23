import { type Capability, MISSING } from './capabilities.js';

/** The identification of the request in logs and metrics, without ids, keys and bodies. */
export interface ProviderCallTrace {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path with a placeholder for the id, e.g. `/v2/payment_intents/{id}/capture`. */
  readonly pathTemplate: string;
  /** The wall time from the start of the request until its end. */
  readonly durationMs: number;
}

const messageOf = (trace: ProviderCallTrace, what: string): string =>
  `${trace.method} ${trace.pathTemplate}: ${what} after ${Math.round(trace.durationMs)} ms`;

/** The provider's message about one field of the request; `field` is the path of the field. */
export interface FieldFault {
  readonly field: string;
  /** The provider's own message, shortened, without personal data. */
  readonly message: string;
}

/**
 * The provider has read the request and rejected it (4xx). This is final: nothing was done, and the
 * same request would be rejected again.
 */
export class ProviderRejected extends Error {
  override readonly name = 'ProviderRejected';
  readonly kind = 'rejected';

  constructor(
    readonly trace: ProviderCallTrace,
    readonly status: number,
    /**
     * The provider's error type, if it gives one; for a 422 the type of the first invalid field.
     */
    readonly code: string | null,
    /** The provider's own message, shortened, without personal data. */
    readonly providerMessage: string,
    /** The fields that caused the rejection, if the provider names them. */
    readonly faults: readonly FieldFault[] = [],
  ) {
    super(messageOf(trace, `rejected with ${status}`));
  }
}

/**
 * The provider does not accept the API key (401), or the key lacks a permission (403). Nothing was
 * done; an operator must act.
 */
export class ProviderUnauthorized extends Error {
  override readonly name = 'ProviderUnauthorized';
  readonly kind = 'unauthorized';

  constructor(
    readonly trace: ProviderCallTrace,
    readonly status: number,
  ) {
    super(messageOf(trace, `unauthorized with ${status}`));
  }
}

/**
 * The provider has received too many requests (429). Nothing was done; repeat the request after
 * `retryAfterMs`, if it is given.
 */
export class ProviderRateLimited extends Error {
  override readonly name = 'ProviderRateLimited';
  readonly kind = 'rate_limited';

  constructor(
    readonly trace: ProviderCallTrace,
    readonly retryAfterMs: number | null,
  ) {
    super(messageOf(trace, 'rate limited'));
  }
}

/** Why a request has no usable response. With the first two reasons the request was never sent. */
export type FailureReason =
  | 'unreachable'
  | 'circuit_open'
  | 'timeout'
  | 'connection_lost'
  | 'server_error'
  | 'unreadable_answer'
  | 'oversized_answer';

export interface FailureDetails {
  readonly reason: FailureReason;
  /** The HTTP status, if a response arrived. */
  readonly status: number | null;
  /** The error code of the network, e.g. `ECONNREFUSED`, or the invalid field of a response. */
  readonly detail: string | null;
}

const failureText = ({ reason, status, detail }: FailureDetails): string =>
  [reason.replaceAll('_', ' '), status && `status ${status}`, detail].filter(Boolean).join(', ');

/**
 * Certainly nothing was done: the request was never sent (connection refused, unknown host, no
 * connection in time, circuit breaker open), or the request is a read. The same request may be
 * repeated.
 */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
  readonly kind = 'unavailable';
  readonly reason: FailureReason;

  constructor(
    readonly trace: ProviderCallTrace,
    readonly failure: FailureDetails,
  ) {
    super(messageOf(trace, failureText(failure)));
    this.reason = failure.reason;
  }
}

/**
 * A write was sent, and its result is unknown: timeout, lost connection, 5xx, a page of HTML, an
 * incomplete response. The write may have been executed: do not send it again before a read has
 * shown its result.
 */
export class ProviderUnknownOutcome extends Error {
  override readonly name = 'ProviderUnknownOutcome';
  readonly kind = 'unknown_outcome';
  readonly reason: FailureReason;

  constructor(
    readonly trace: ProviderCallTrace,
    readonly failure: FailureDetails,
  ) {
    super(messageOf(trace, `unknown result, ${failureText(failure)}`));
    this.reason = failure.reason;
  }
}

/** The provider of the account lacks the capability. Nothing was sent. */
export class CapabilityMissing extends Error {
  override readonly name = 'CapabilityMissing';
  readonly kind = 'capability_missing';

  constructor(readonly capability: Capability) {
    super(MISSING[capability]);
  }
}

const PROVIDER_ERRORS = [
  ProviderRejected,
  ProviderUnauthorized,
  ProviderRateLimited,
  ProviderUnavailable,
  ProviderUnknownOutcome,
  CapabilityMissing,
] as const;

/** All errors that a provider request can throw; switch over `kind`. */
export type ProviderError = InstanceType<(typeof PROVIDER_ERRORS)[number]>;

export const isProviderError = (error: unknown): error is ProviderError =>
  PROVIDER_ERRORS.some((one) => error instanceof one);
