import type { NewIntent, ProviderClient, WebhookDelivery } from '../port.js';

/** A provider that is there to be asked, and what its payers, its bank and its network do. */
export interface Arranged {
  /** With a key that opens an account of test money. */
  readonly client: ProviderClient;
  /** With a key that opens nothing. */
  readonly stranger: ProviderClient;
  /** The payer pays by card. */
  readonly payByCard: (pageUrl: string) => Promise<void>;
  /** The payer signs a mandate, which is debited. */
  readonly signMandate: (pageUrl: string) => Promise<void>;
  /** The answer of the next call that creates an intent is lost, once it has been created. */
  readonly loseAnswerOfCreation: () => Promise<void>;
  /** Until what is captured has been sent to the bank. */
  readonly untilSent: () => Promise<void>;
  /** Until what was sent is in a payout. */
  readonly untilPaidOut: () => Promise<void>;
  /** Which webhooks about the intent have arrived, with the secret of their endpoint. */
  readonly webhooksAbout: (intentId: string) => Promise<readonly WebhookDelivery[]>;
}

/** Of 42.50 in the provider's test money. */
export const intentOf = (reference: string): NewIntent => ({
  reference, amountMinor: 4_250, currency: 'eur', methods: ['card', 'sepa'], description: null,
  returnUrl: null,
});
