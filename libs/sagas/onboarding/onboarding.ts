import type { Instant } from '#kernel';
import type { CompanyStatus, MerchantCommand, MerchantEvent, MerchantTerms } from '#onboarding';

/** What the saga waits for: a registration result, the platform's corrections, or a status. */
export type Awaited = 'requested' | 'rejected' | CompanyStatus;

/** The state of one merchant's onboarding. It never ends: a contract may be resumed. */
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

/** The saga's deadline for an overdue company status; its key is the merchant's id. */
export const ONBOARDING_DEADLINES = ['onboarding.status_overdue'] as const;

export type OnboardingDeadline = (typeof ONBOARDING_DEADLINES)[number];

export type OnboardingMessage =
  | { readonly from: 'merchant'; readonly event: MerchantEvent }
  | { readonly from: 'deadline'; readonly kind: OnboardingDeadline };

/** Time and new ids, which a pure saga receives as input. */
export interface OnboardingContext {
  readonly now: Instant;
  readonly newRequestId: string;
}

export interface OnboardingReaction {
  readonly state: Onboarding;
  /** Commands to the merchant, in this order. */
  readonly commands: readonly MerchantCommand[];
  readonly deadlines: Readonly<Partial<Record<OnboardingDeadline, Instant | null>>>;
  /**
   * What to read from the provider now: the company (searched by email and legal id while its id is
   * unknown), or the missing requirements of its registration.
   */
  readonly readNow: 'company' | 'requirements' | null;
  /** Present when the provider has the merchant's details: our copy is deleted. */
  readonly endsDetails?: true;
}
