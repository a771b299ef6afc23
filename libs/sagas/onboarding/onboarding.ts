import type { Instant } from '#kernel';
import type { CompanyStatus, MerchantCommand, MerchantEvent, MerchantTerms } from '#onboarding';

/** What is waited on: an outcome, the platform's corrections, or the company's next status. */
export type Awaited = 'requested' | 'rejected' | CompanyStatus;

/** Where the onboarding of one merchant stands. It has no end: a contract may be taken up again. */
export type Onboarding =
  | { readonly status: 'none' }
  | {
      readonly status: 'following';
      readonly terms: MerchantTerms;
      /** Null before the company is asked for. */
      readonly awaited: Awaited | null;
      readonly isRegistered: boolean;
    };

export const ONBOARDING_SAGA = 'onboarding';

/** `silence`: the company should have been heard of by now. Keyed by the merchant's id. */
export const ONBOARDING_DEADLINES = ['onboarding.silence'] as const;

export type OnboardingDeadline = (typeof ONBOARDING_DEADLINES)[number];

export type OnboardingMessage =
  | { readonly from: 'merchant'; readonly event: MerchantEvent }
  | { readonly from: 'deadline'; readonly kind: OnboardingDeadline };

/** What the saga may not make itself: time and fresh ids. */
export interface OnboardingContext {
  readonly now: Instant;
  readonly newRequestId: string;
}

export interface OnboardingReaction {
  readonly state: Onboarding;
  /** To the merchant, in this order. */
  readonly commands: readonly MerchantCommand[];
  readonly deadlines: Readonly<Partial<Record<OnboardingDeadline, Instant | null>>>;
  /**
   * What to read at the provider now: the company, looked for by email and legal id where it has
   * no id yet; or what its registration lacks.
   */
  readonly readNow: 'company' | 'requirements' | null;
  /** From its registration on the provider has the details of a merchant, and we keep none. */
  readonly endsDetails?: true;
}
