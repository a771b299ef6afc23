import type { CompanyChange, CompanyDetails } from '../company-details.js';
import type { CompanyStatus } from '../company-facts.js';
import type { Onboarding } from '../onboarding.js';
import type { NewIntent, ProviderClient, WebhookDelivery } from '../port.js';

/** A partner's onboarding, with the acts of its companies and of their reviewers. */
export interface ArrangedOnboarding {
  readonly client: Onboarding;
  /** With an unknown key. */
  readonly stranger: Onboarding;
  /**
   * All required details except documents, with one representative and one owner, and an address
   * for terminals. Its legal name is `Contract`, its email its own.
   */
  readonly newDetails: () => CompanyDetails;
  /** What the provider shows of it. */
  readonly shownOf: (details: CompanyDetails) => CompanyChange;
  readonly loseAnswerOfCreation: () => Promise<void>;
  readonly reach: (companyId: string, status: CompanyStatus) => Promise<void>;
  /** The provider's day, and days around it. */
  readonly day: (plusDays?: number) => Promise<string>;
}

/** A running provider, with the acts of its payers, its bank and its network. */
export interface Arranged {
  /** With a key of a test account. */
  readonly client: ProviderClient;
  /** With an unknown key. */
  readonly stranger: ProviderClient;
  /** The payer pays by card. */
  readonly payByCard: (pageUrl: string) => Promise<void>;
  /** The payer signs a mandate, which is debited. */
  readonly signMandate: (pageUrl: string) => Promise<void>;
  /** The next intent is created, but the response to its creation is lost. */
  readonly loseAnswerOfCreation: () => Promise<void>;
  /** Until captured payments have been sent to the bank. */
  readonly untilSent: () => Promise<void>;
  /** Until sent payments are in a payout. */
  readonly untilPaidOut: () => Promise<void>;
  /** Of a provider that registers companies. */
  readonly onboarding?: ArrangedOnboarding;
  /** The received webhooks about the intent, with the secret of their endpoint. */
  readonly webhooksAbout: (intentId: string) => Promise<readonly WebhookDelivery[]>;
}

/** Of 42.50 in the provider's test currency. */
export const intentOf = (reference: string): NewIntent => ({
  reference,
  amountMinor: 4_250,
  currency: 'eur',
  methods: ['card', 'sepa'],
  description: null,
  returnUrl: null,
});
