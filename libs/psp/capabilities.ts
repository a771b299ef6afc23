import type { CaptureCapabilities } from '#kernel';

/**
 * The capabilities of an adapter, as data: an operation without its capability is rejected before
 * anything is sent.
 */
export interface Capabilities extends CaptureCapabilities {
  /** Whether payment intents can be created, read and found, with their attempts. */
  readonly payments: boolean;
  /** The last of our statuses in which an intent can be canceled; null: never. */
  readonly cancelableUntil: 'authorized' | 'to_capture' | null;
  readonly refunds: boolean;
  /** Whether a signed mandate can be debited without the payer. */
  readonly debits: boolean;
  /** Whether payouts can be read, and the lists of an account with facts that no webhook sends. */
  readonly payouts: boolean;
  /** Whether companies can be registered with a partner's key, and their registration followed. */
  readonly onboarding: boolean;
  /** The kinds of objects for which the provider sends webhooks; all others must be polled. */
  readonly sends: readonly ('intent' | 'refund' | 'dispute' | 'payout')[];
}

/** A capability that a provider may lack entirely. */
export type Capability = keyof Capabilities;

/** The reason of the rejection for each missing capability, for the calling platform. */
export const MISSING: Readonly<Record<Capability, string>> = {
  payments: 'the provider of this account does not support payments through this service',
  cancelableUntil: 'the provider of this account does not support the cancellation of payments',
  partialCapture: 'the provider of this account captures whole amounts only',
  multipleCapture: 'the provider of this account captures a payment only once',
  refunds: 'the provider of this account does not support refunds through this service',
  debits: 'the provider of this account does not debit a mandate without the payer being present',
  payouts: 'the provider of this account does not show its payouts',
  onboarding: 'the provider does not register companies through this service',
  sends: 'the provider of this account sends no webhooks',
};
