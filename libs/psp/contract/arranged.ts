import type { CompanyChange, CompanyDetails } from '../company-details.js';
import type { CompanyStatus } from '../company-facts.js';
import type { Onboarding } from '../onboarding.js';
import type { NewIntent, ProviderClient, WebhookDelivery } from '../port.js';

/** A partner's onboarding, and what its companies and their reviewers do. */
export interface ArrangedOnboarding {
  readonly client: Onboarding;
  /** With a key that opens nothing. */
  readonly stranger: Onboarding;
  /**
   * All that a contract needs but the documents, of one representative and one owner, and an
   * address for terminals. Its legal name is `Contract`, its email its own.
   */
  readonly newDetails: () => CompanyDetails;
  /** What of it the provider shows. */
  readonly shownOf: (details: CompanyDetails) => CompanyChange;
  readonly loseAnswerOfCreation: () => Promise<void>;
  readonly reach: (companyId: string, status: CompanyStatus) => Promise<void>;
  /** The provider's day, and days around it. */
  readonly day: (plusDays?: number) => Promise<string>;
}

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
  /** Of a provider that registers companies. */
  readonly onboarding?: ArrangedOnboarding;
  /** Which webhooks about the intent have arrived, with the secret of their endpoint. */
  readonly webhooksAbout: (intentId: string) => Promise<readonly WebhookDelivery[]>;
}

/** Of 42.50 in the provider's test money. */
export const intentOf = (reference: string): NewIntent => ({
  reference,
  amountMinor: 4_250,
  currency: 'eur',
  methods: ['card', 'sepa'],
  description: null,
  returnUrl: null,
});
