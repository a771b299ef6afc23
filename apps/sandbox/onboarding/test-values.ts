import type { TestValue } from '../api/test-value.js';
import { REJECTED_NAME_END } from './companies/company-status.js';
import { TERMINATED_EMAIL } from './companies/emails.js';

/** Values of the onboarding API with special behaviour in test mode. */
export const ONBOARDING_TEST_VALUES: readonly TestValue[] = [
  {
    kind: 'legal-name',
    scenario: 'A legal name with this ending: the review fails',
    value: `Example ${REJECTED_NAME_END}`,
    response: 'terminated-by-service',
    result: 'Refused',
  },
  {
    kind: 'email',
    scenario: 'An email of a company whose contract the service ended',
    value: TERMINATED_EMAIL,
    response: 'email-terminated',
    result: 'Refused',
  },
];
