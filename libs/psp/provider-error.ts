import { type Capability, MISSING } from './capabilities.js';

/** The request, without ids, keys or bodies: safe to log and as a metric label. */
export interface ProviderCallTrace {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** e.g. `/v2/payment_intents/{id}/capture`. */
  readonly pathTemplate: string;
  /** From the call until its end, wall time. */
  readonly durationMs: number;
}

const messageOf = (trace: ProviderCallTrace, what: string): string =>
  `${trace.method} ${trace.pathTemplate}: ${what} after ${Math.round(trace.durationMs)} ms`;

/** A refusal's text about one field of the request, by the provider's path. */
export interface FieldFault {
  readonly field: string;
  /** The provider's own words, shortened, without personal data. */
  readonly message: string;
}

/**
 * The provider read the request and refused it (4xx): final, nothing was done, a repeat is useless.
 */
export class ProviderRejected extends Error {
  override readonly name = 'ProviderRejected';
  readonly kind = 'rejected';

  constructor(
    readonly trace: ProviderCallTrace,
    readonly status: number,
    /** The provider's error type where it gives one, e.g. that of the first 422 detail. */
    readonly code: string | null,
    /** The provider's own words, shortened, without personal data. */
    readonly providerMessage: string,
    /** The fields that caused it, where the provider names them. */
    readonly faults: readonly FieldFault[] = [],
  ) {
    super(messageOf(trace, `rejected with ${status}`));
  }
}

/**
 * The key is not accepted (401) or lacks the right (403): nothing was done; an operator must act.
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

/** Too many requests (429): nothing was done; repeat after `retryAfterMs`, when given. */
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

/** Why a call has no usable answer. The first two mean that the request never left. */
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
  /** The HTTP status, when one arrived. */
  readonly status: number | null;
  /** The network's error code, e.g. `ECONNREFUSED`, or the field of an answer that is wrong. */
  readonly detail: string | null;
}

const failureText = ({ reason, status, detail }: FailureDetails): string =>
  [reason.replaceAll('_', ' '), status && `status ${status}`, detail].filter(Boolean).join(', ');

/**
 * Certainly nothing was done: a write that never left this process (refused connection, unknown
 * host, no connection in time, open circuit), or any failed read. The same call may be repeated.
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
 * A write left and its result is unknown: time-out, lost connection, 5xx, a page of HTML, half an
 * answer. It may have been done. Never send it again before a read has shown its result.
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

/** The account's provider lacks the capability: nothing was sent. */
export class CapabilityMissing extends Error {
  override readonly name = 'CapabilityMissing';
  readonly kind = 'capability_missing';

  constructor(readonly capability: Capability) {
    super(MISSING[capability]);
  }
}

/** All errors that a call to the provider can throw; switch over `kind`. */
export type ProviderError =
  | ProviderRejected
  | ProviderUnauthorized
  | ProviderRateLimited
  | ProviderUnavailable
  | ProviderUnknownOutcome
  | CapabilityMissing;

export const isProviderError = (error: unknown): error is ProviderError =>
  error instanceof ProviderRejected ||
  error instanceof ProviderUnauthorized ||
  error instanceof ProviderRateLimited ||
  error instanceof ProviderUnavailable ||
  error instanceof ProviderUnknownOutcome ||
  error instanceof CapabilityMissing;
