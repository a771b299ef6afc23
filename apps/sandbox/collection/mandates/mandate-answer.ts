import {
  ADDRESS_OR_NULL, answer, idOf, idOrNull, MOMENT, pageOf, TEXT_OR_NULL,
} from '../../api/answers.js';
import type { mandateResource } from './mandate-resource.js';

const MOMENT_OR_NULL = { type: ['integer', 'null'], minimum: 0 } as const;

export const MANDATE_ANSWER = answer<ReturnType<typeof mandateResource>>({
  id: idOf('mndt'), created_at: MOMENT, customer: idOrNull('cust'), sepa: idOf('sepa'),
  rum: TEXT_OR_NULL, sign_url: ADDRESS_OR_NULL, upload_url: ADDRESS_OR_NULL, url: ADDRESS_OR_NULL,
  signed_at: MOMENT_OR_NULL, deleted_at: MOMENT_OR_NULL,
});
export const MANDATE_LIST_ANSWER = pageOf('mandates', MANDATE_ANSWER);
