import type { Instant } from '#kernel';
import type { CompanyStatus, MerchantCommand, MerchantEvent, MerchantTerms } from '#onboarding';

/**
 * What the saga waits for: the result of the registration, corrections by the platform, or the next
 * status of the company.
 */
export type Awaited = 'requested' | 'rejected' | CompanyStatus;

/**
 * The state of the onboarding of one merchant. An onboarding never ends, because a contract that
 * has ended may be resumed.
 */
export type Onboarding =
  | { readonly status: 'none' }
  | {
      readonly status: 'following';
      readonly terms: MerchantTerms;
      /** What the saga waits for; null before the registration is requested. */
      readonly awaited: Awaited | null;
      readonly isRegistered: boolean;
    };

export const ONBOARDING_SAGA = 'onboarding';

/**
 * The kind of the deadline by which the status of a company should have changed; the key of the
 * deadline is the merchant's id.
 */
export const ONBOARDING_DEADLINES = ['onboarding.status_overdue'] as const;

export type OnboardingDeadline = (typeof ONBOARDING_DEADLINES)[number];

export type OnboardingMessage =
  | { readonly from: 'merchant'; readonly event: MerchantEvent }
  | { readonly from: 'deadline'; readonly kind: OnboardingDeadline };

/** The current time and new ids. The saga cannot create them, because it is a pure function. */
export interface OnboardingContext {
  readonly now: Instant;
  readonly newRequestId: string;
}

export interface OnboardingReaction {
  readonly state: Onboarding;
  /** Commands to the merchant; they are executed in this order. */
  readonly commands: readonly MerchantCommand[];
  readonly deadlines: Readonly<Partial<Record<OnboardingDeadline, Instant | null>>>;
  /**
   * What to read from the provider now: the company (searched by email and registration number
   * while its id is unknown), or the missing items of its registration.
   */
  readonly readNow: 'company' | 'requirements' | null;
  /**
   * Present if our copy of the merchant's details is to be deleted, because the provider has the
   * details.
   */
  readonly endsDetails?: true;
}
