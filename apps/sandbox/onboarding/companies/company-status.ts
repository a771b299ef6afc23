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

/** What moves a registration by itself; PATCH /company-status goes anywhere from anywhere. */
type Move = 'sign' | 'pass' | 'reject' | 'end';

export const registration = stateMachine<CompanyStatus, Move>('registration', {
  notComplete: { sign: 'pendingActivation' },
  pendingActivation: { pass: 'validated', reject: 'pendingDeactivation' },
  validated: { pass: 'available' },
  available: {},
  pendingDeactivation: { end: 'deactivate' },
  deactivate: {},
});

/** The contract is signed, or was once: the file is closed to readers of its papers. */
export const isFinalized = (status: CompanyStatus): boolean => status !== 'notComplete';

/** Of these the history tells whether the service itself ended the contract. */
export const isEnding = (status: CompanyStatus): boolean =>
  status === 'pendingDeactivation' || status === 'deactivate';

/** The published test value: a review that fails. */
export const REJECTED_NAME_END = 'REJECT';

export const isRejectedName = (legalName: string): boolean =>
  legalName.trimEnd().endsWith(REJECTED_NAME_END);
