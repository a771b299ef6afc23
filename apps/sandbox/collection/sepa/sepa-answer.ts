import {
  answer, DATE_OR_NULL, FLAG, idOf, idOrNull, MOMENT, pageOf, TEXT, TEXT_OR_NULL,
} from '../../api/answers.js';
import type { sepaResource } from './sepa-resource.js';

/** Never the IBAN. */
export const SEPA_ANSWER = answer<ReturnType<typeof sepaResource>>({
  id: idOf('sepa'), created: MOMENT, deleted: FLAG,
  last4: { type: 'string', pattern: '^[A-Z0-9]{4}$' }, name: TEXT, bic: TEXT_OR_NULL,
  customer: idOrNull('cust'), date_mandate: DATE_OR_NULL, mandate: TEXT_OR_NULL,
});
export const SEPA_LIST_ANSWER = pageOf('sepa', SEPA_ANSWER);
