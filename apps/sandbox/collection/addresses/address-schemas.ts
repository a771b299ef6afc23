import {
  answer, ANY_VALUE, FLAG, idOf, MOMENT, pageOf, TEXT, TEXT_OR_NULL,
} from '../../api/answers.js';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import { COUNTRY, METADATA, optionalText, text } from '../../api/schemas.js';
import type { addressResource } from './address-resource.js';

interface AddressMore {
  readonly line1?: string | null;
  readonly line2?: string | null;
  readonly line3?: string | null;
  readonly state?: string | null;
  readonly metadata?: unknown;
}

/** What the body of `POST /v2/addresses` holds. Completion, "Resources". */
export interface AddressCreate extends AddressMore {
  readonly zip_code: string;
  readonly city: string;
  readonly country: string;
}

/** What may be changed; null empties what need not be there. */
export type AddressPatch = Partial<AddressCreate>;

const PROPERTIES = {
  zip_code: text(2, 16),
  city: text(1, 50),
  country: COUNTRY,
  line1: optionalText(1, 50),
  line2: optionalText(1, 50),
  line3: optionalText(1, 50),
  state: optionalText(1, 3),
  metadata: METADATA,
} as const;

export const addressCreate = checkedBody<AddressCreate>({
  required: ['zip_code', 'city', 'country'], properties: PROPERTIES,
});
export const addressPatch = checkedBody<AddressPatch>({ properties: PROPERTIES });
export const addressList = listQuery();

export const ADDRESS_ANSWER = answer<ReturnType<typeof addressResource>>({
  id: idOf('addr'), created_at: MOMENT, deleted: FLAG, zip_code: TEXT, city: TEXT, country: TEXT,
  line1: TEXT_OR_NULL, line2: TEXT_OR_NULL, line3: TEXT_OR_NULL, state: TEXT_OR_NULL,
  metadata: ANY_VALUE,
});
export const ADDRESS_LIST_ANSWER = pageOf('addresses', ADDRESS_ANSWER);
