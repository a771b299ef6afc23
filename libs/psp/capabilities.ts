import type { CaptureCapabilities } from '#kernel';

/**
 * The capabilities of an adapter, as data: an operation without its capability is refused before
 * anything is sent.
 */
export interface Capabilities extends CaptureCapabilities {
  /** Intents are created, read and found, with their attempts. */
  readonly payments: boolean;
  /** The last of our statuses in which an intent can be canceled; null: never. */
  readonly cancelableUntil: 'authorized' | 'to_capture' | null;
  readonly refunds: boolean;
  /** A signed mandate is debited without the payer. */
  readonly debits: boolean;
  /** Payouts, and the lists of an account with facts that no webhook sends. */
  readonly payouts: boolean;
  /** Companies are registered with a partner's key, and followed. */
  readonly onboarding: boolean;
  /** The objects of which webhooks are sent; all others must be polled. */
  readonly sends: readonly ('intent' | 'refund' | 'dispute' | 'payout')[];
}

/** A capability that may be missing entirely. */
export type Capability = keyof Capabilities;

/** The reason of a refusal for each missing capability, for the calling platform. */
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
