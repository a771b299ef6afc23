import { answer, FLAG, idOf, idOrNull, MOMENT, pageOf, TEXT_OR_NULL } from '../../api/answers.js';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import {
  OPTIONAL_COUNTRY, OPTIONAL_DATE, optionalReference, optionalText,
} from '../../api/schemas.js';
import type { customerResource } from './customer-resource.js';

type Field =
  | 'email' | 'mobile' | 'name' | 'date_birth' | 'legal_id' | 'country' | 'external_id'
  | 'billing_address' | 'shipping_address';

/** What the bodies of `POST /v2/customers` and of its PATCH hold; null empties a field. */
export type CustomerFields = { readonly [F in Field]?: string | null };

const PROPERTIES = {
  email: { ...optionalText(5, 254), format: 'email' },
  mobile: optionalText(1, 16),
  name: optionalText(3, 64),
  date_birth: OPTIONAL_DATE,
  legal_id: optionalText(1, 16),
  country: OPTIONAL_COUNTRY,
  external_id: optionalText(1, 36),
  billing_address: optionalReference('addr'),
  shipping_address: optionalReference('addr'),
} as const;

const given = (field: 'email' | 'mobile') =>
  ({ required: [field], properties: { [field]: { type: 'string' } } }) as const;

const LONG_NUMBERS = ['legal_id', 'mobile'] as const;

/** Completion, "Resources": at least one of `email` and `mobile`. */
export const customerCreate = checkedBody<CustomerFields>(
  { properties: PROPERTIES, anyOf: [given('email'), given('mobile')] }, LONG_NUMBERS,
);
export const customerPatch = checkedBody<CustomerFields>(
  { properties: PROPERTIES }, LONG_NUMBERS,
);

interface CustomerFilters {
  readonly external_id?: string;
  readonly email?: string;
  readonly mobile?: string;
}

export const customerList = listQuery<CustomerFilters>({
  external_id: { type: 'string' }, email: { type: 'string' }, mobile: { type: 'string' },
});

export const CUSTOMER_ANSWER = answer<ReturnType<typeof customerResource>>({
  id: idOf('cust'), created: MOMENT, deleted: FLAG, email: TEXT_OR_NULL, mobile: TEXT_OR_NULL,
  name: TEXT_OR_NULL, date_birth: TEXT_OR_NULL, legal_id: TEXT_OR_NULL, country: TEXT_OR_NULL,
  external_id: TEXT_OR_NULL, billing_address: idOrNull('addr'), shipping_address: idOrNull('addr'),
});
export const CUSTOMER_LIST_ANSWER = pageOf('customers', CUSTOMER_ANSWER);
