import type { CaptureCapabilities } from '#kernel';

/**
 * What an adapter supports. An operation whose capability is missing is rejected before anything is
 * sent.
 */
export interface Capabilities extends CaptureCapabilities {
  /** Whether payment intents can be created, read and found, with their attempts. */
  readonly payments: boolean;
  /**
   * The last of our statuses in which an intent can be canceled; null: it can never be canceled.
   */
  readonly cancelableUntil: 'authorized' | 'to_capture' | null;
  readonly refunds: boolean;
  /** Whether a signed mandate can be debited without the payer being present. */
  readonly debits: boolean;
  /**
   * Whether payouts can be read and an account's payments, refunds and disputes can be listed.
   * These lists show facts that no webhook reports.
   */
  readonly payouts: boolean;
  /**
   * Whether companies can be registered with a partner key, and whether the status of their
   * registration can be read.
   */
  readonly onboarding: boolean;
  /**
   * The kinds of objects for which the provider sends webhooks; all other objects must be polled.
   */
  readonly sends: readonly ('intent' | 'refund' | 'dispute' | 'payout')[];
}

/** The name of a capability. */
export type Capability = keyof Capabilities;

/** The message to the platform if a request is rejected because a capability is missing. */
export const MISSING: Readonly<Record<Capability, string>> = {
  payments: 'the provider of this account does not support payments through this service',
  cancelableUntil: 'the provider of this account does not support the cancellation of payments',
  partialCapture:
    'the provider of this account captures whole amounts only: capture without an amount',
  multipleCapture:
    'the provider of this account captures a payment only once: place another order for the rest',
  refunds: 'the provider of this account does not support refunds through this service',
  debits: 'the provider of this account does not debit a mandate without the payer being present',
  payouts: 'the provider of this account does not show its payouts',
  onboarding: 'the provider does not register companies through this service',
  sends: 'the provider of this account sends no webhooks',
};
