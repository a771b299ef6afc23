import type { CompanyChange, CompanyDetails } from '../company-details.js';
import type { CompanyStatus } from '../company-facts.js';
import type { Onboarding } from '../onboarding.js';
import type { NewIntent, ProviderClient, WebhookDelivery } from '../port.js';

/** A partner's onboarding, with the actions of its companies and their reviewers. */
export interface ArrangedOnboarding {
  readonly client: Onboarding;
  /** An onboarding client with an unknown key. */
  readonly stranger: Onboarding;
  /**
   * All required details except documents, with one representative, one owner and an address for
   * terminals. The legal name is `Contract`; the email is unique.
   */
  readonly newDetails: () => CompanyDetails;
  /** The details as the provider shows them. */
  readonly shownOf: (details: CompanyDetails) => CompanyChange;
  readonly loseAnswerOfCreation: () => Promise<void>;
  readonly reach: (companyId: string, status: CompanyStatus) => Promise<void>;
  /** The provider's current day, or a day before or after it. */
  readonly day: (plusDays?: number) => Promise<string>;
}

/** A running provider, with the actions of its payers, its bank and its network. */
export interface Arranged {
  /** A client with a key of a test account. */
  readonly client: ProviderClient;
  /** A client with an unknown key. */
  readonly stranger: ProviderClient;
  /** The payer pays by card. */
  readonly payByCard: (pageUrl: string) => Promise<void>;
  /** The payer signs a mandate, which is then debited. */
  readonly signMandate: (pageUrl: string) => Promise<void>;
  /** The next intent is created, but the response to its creation is lost. */
  readonly loseAnswerOfCreation: () => Promise<void>;
  /** Waits until captured payments have been sent to the bank. */
  readonly untilSent: () => Promise<void>;
  /** Waits until sent payments are in a payout. */
  readonly untilPaidOut: () => Promise<void>;
  /** The onboarding of a provider that registers companies. */
  readonly onboarding?: ArrangedOnboarding;
  /** The received webhooks about the intent, with the secret of their endpoint. */
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
