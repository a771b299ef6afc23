import type { CompanyChange, CompanyDetails } from '../company-details.js';
import type { CompanyStatus } from '../company-facts.js';
import type { Onboarding } from '../onboarding.js';
import type { NewIntent, ProviderClient, WebhookDelivery } from '../port.js';

/**
 * The onboarding API of a provider, with functions that simulate the companies and the provider's
 * reviewers.
 */
export interface ArrangedOnboarding {
  readonly client: Onboarding;
  /** An onboarding client with an unknown API key. */
  readonly stranger: Onboarding;
  /**
   * All required details, but no documents: one representative, one owner, and an address for
   * terminals. The legal name is `Contract`; the email is unique.
   */
  readonly newDetails: () => CompanyDetails;
  /** The details as the provider shows them. */
  readonly shownOf: (details: CompanyDetails) => CompanyChange;
  readonly loseAnswerOfCreation: () => Promise<void>;
  readonly reach: (companyId: string, status: CompanyStatus) => Promise<void>;
  /** The current day at the provider, plus or minus a number of days. */
  readonly day: (plusDays?: number) => Promise<string>;
}

/** A running provider, with functions that simulate payers, the bank and the network. */
export interface Arranged {
  /** A client with the API key of a test account. */
  readonly client: ProviderClient;
  /** A client with an unknown API key. */
  readonly stranger: ProviderClient;
  /** The payer pays by card. */
  readonly payByCard: (pageUrl: string) => Promise<void>;
  /** The payer signs a mandate on the payment page, and the mandate is debited. */
  readonly signMandate: (pageUrl: string) => Promise<void>;
  /** The next request for an intent creates the intent, but its response is lost. */
  readonly loseAnswerOfCreation: () => Promise<void>;
  /** Waits until captured payments have been sent to the bank. */
  readonly untilSent: () => Promise<void>;
  /** Waits until payments that were sent to the bank are in a payout. */
  readonly untilPaidOut: () => Promise<void>;
  /** The onboarding, if the provider registers companies. */
  readonly onboarding?: ArrangedOnboarding;
  /** The webhooks that were received about the intent, with the secret of their endpoint. */
  readonly webhooksAbout: (intentId: string) => Promise<readonly WebhookDelivery[]>;
}

/** An intent of 42.50 in the provider's test currency. */
export const intentOf = (reference: string): NewIntent => ({
  reference,
  amountMinor: 4_250,
  currency: 'eur',
  methods: ['card', 'sepa'],
  description: null,
  returnUrl: null,
});
