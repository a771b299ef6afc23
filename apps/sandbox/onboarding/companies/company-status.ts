import { stateMachine } from '../../storage/state-machine.js';

/** The statuses of a company. See docs/provider/onboarding.md#company-status. */
export const COMPANY_STATUSES = [
  'notComplete',
  'pendingActivation',
  'validated',
  'available',
  'pendingDeactivation',
  'deactivate',
] as const;
export type CompanyStatus = (typeof COMPANY_STATUSES)[number];

/**
 * The transitions made by the signature and by the clock; PATCH /company-status also allows every
 * other transition.
 */
type Move = 'sign' | 'pass' | 'reject' | 'end';

export const registration = stateMachine<CompanyStatus, Move>('registration', {
  notComplete: { sign: 'pendingActivation' },
  pendingActivation: { pass: 'validated', reject: 'pendingDeactivation' },
  validated: { pass: 'available' },
  available: {},
  pendingDeactivation: { end: 'deactivate' },
  deactivate: {},
});

/**
 * Whether the merchant has signed the contract. From then on documents can no longer be read or
 * changed.
 */
export const isFinalized = (status: CompanyStatus): boolean => status !== 'notComplete';

/**
 * Whether the contract is ending or has ended: only for these statuses does the history return
 * `terminated-by-service`.
 */
export const isEnding = (status: CompanyStatus): boolean =>
  status === 'pendingDeactivation' || status === 'deactivate';

/** Test value: the review of a company fails when its legal name ends with this word. */
export const REJECTED_NAME_END = 'REJECT';

export const isRejectedName = (legalName: string): boolean =>
  legalName.trimEnd().endsWith(REJECTED_NAME_END);
