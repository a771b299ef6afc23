import type { CaptureCapabilities } from '#kernel';

/** What an adapter can do, as data: what it cannot is refused before anything is sent. */
export interface Capabilities extends CaptureCapabilities {
  /** Intents are created, read and found, and their attempts followed. */
  readonly payments: boolean;
  /** Until which status of ours an intent can be canceled; null: never. */
  readonly cancelableUntil: 'authorized' | 'to_capture' | null;
  readonly refunds: boolean;
  /** A signed mandate is debited with no payer present. */
  readonly debits: boolean;
  /** Payouts, and the lists of an account that tell what no webhook does. */
  readonly payouts: boolean;
  /** Companies are registered with a partner's key, and followed. */
  readonly onboarding: boolean;
  /** Of which objects webhooks tell; all others must be polled. */
  readonly sends: readonly ('intent' | 'refund' | 'dispute' | 'payout')[];
}

/** A capability that can be missing altogether. */
export type Capability = keyof Capabilities;

/** Why an operation is refused for the lack of each, for the platform that asked for it. */
export const MISSING: Readonly<Record<Capability, string>> = {
  payments: 'the provider of this account takes no payments through us',
  cancelableUntil: 'the provider of this account does not cancel payments',
  partialCapture: 'the provider of this account captures the whole amount only',
  multipleCapture: 'the provider of this account captures a payment once only',
  refunds: 'the provider of this account makes no refunds through us',
  debits: 'the provider of this account debits no mandate without the payer',
  payouts: 'the provider of this account does not show its payouts',
  onboarding: 'the provider registers no companies through us',
  sends: 'the provider of this account sends no webhooks',
};
