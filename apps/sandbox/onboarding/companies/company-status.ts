import { stateMachine } from '../../storage/state-machine.js';

/** docs/provider/onboarding.md#company-status. */
export const COMPANY_STATUSES = [
  'notComplete',
  'pendingActivation',
  'validated',
  'available',
  'pendingDeactivation',
  'deactivate',
] as const;
export type CompanyStatus = (typeof COMPANY_STATUSES)[number];

/** The automatic transitions of a registration; PATCH /company-status allows any transition. */
type Move = 'sign' | 'pass' | 'reject' | 'end';

export const registration = stateMachine<CompanyStatus, Move>('registration', {
  notComplete: { sign: 'pendingActivation' },
  pendingActivation: { pass: 'validated', reject: 'pendingDeactivation' },
  validated: { pass: 'available' },
  available: {},
  pendingDeactivation: { end: 'deactivate' },
  deactivate: {},
});

/** The contract is signed or was signed before: the documents are no longer readable. */
export const isFinalized = (status: CompanyStatus): boolean => status !== 'notComplete';

/**
 * Whether the company is being ended or has ended: for these statuses the history shows whether the
 * service ended the contract.
 */
export const isEnding = (status: CompanyStatus): boolean =>
  status === 'pendingDeactivation' || status === 'deactivate';

/** The published test value for a failing review: a legal name that ends with it. */
export const REJECTED_NAME_END = 'REJECT';

export const isRejectedName = (legalName: string): boolean =>
  legalName.trimEnd().endsWith(REJECTED_NAME_END);
