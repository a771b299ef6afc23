import {
  answer, FLAG, idOf, idOrNull, MOMENT, pageOf, TEXT, TEXT_OR_NULL,
} from '../../api/answers.js';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import { OPTIONAL_FLAG, optionalReference, optionalText } from '../../api/schemas.js';
import type { cardResource } from './card-resource.js';

/** What a merchant says of a card beside its number; null empties a field. */
interface CardDetails {
  readonly name?: string | null;
  readonly customer?: string | null;
  readonly external_id?: string | null;
  readonly preferred_network?: string | null;
  /** Every card is kept without its number and may be used again, whatever is asked here. */
  readonly tokenize?: boolean | null;
  readonly zip_code?: string | null;
}

/** A card with its number, as `POST /v2/cards` takes it. Completion, "Resources". */
export interface CardCreate extends CardDetails {
  readonly number: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly cvc?: string | null;
}

/** What may be changed of a card: of a renewed one its expiry, month and year together. */
export interface CardPatch extends CardDetails {
  readonly exp_month?: number;
  readonly exp_year?: number;
}

const DETAILS = {
  name: optionalText(3, 64),
  customer: optionalReference('cust'),
  external_id: optionalText(1, 36),
  preferred_network: optionalText(1, 32),
  tokenize: OPTIONAL_FLAG,
  zip_code: optionalText(2, 16),
} as const;

const EXPIRY = {
  exp_month: { type: 'integer', minimum: 1, maximum: 12 },
  exp_year: { type: 'integer', minimum: 2000, maximum: 2099 },
} as const;

/** Wherever a body takes a card with its number, which it names for `checkedBody`. */
export const CARD_INPUT = {
  type: 'object',
  additionalProperties: false,
  required: ['number', 'exp_month', 'exp_year'],
  properties: {
    number: { type: 'string', pattern: '^[0-9]{13,19}$' },
    ...EXPIRY,
    cvc: { type: ['string', 'null'], pattern: '^[0-9]{3,4}$' },
    ...DETAILS,
  },
} as const;

export const cardCreate = checkedBody<CardCreate>(CARD_INPUT, ['number']);
export const cardPatch = checkedBody<CardPatch>({
  properties: { ...DETAILS, ...EXPIRY },
  dependentRequired: { exp_month: ['exp_year'], exp_year: ['exp_month'] },
});
export const cardList = listQuery<{ readonly customer?: string }>({ customer: { type: 'string' } });

/** Never the number or the security code. */
export const CARD_ANSWER = answer<ReturnType<typeof cardResource>>({
  id: idOf('card'), created: MOMENT, deleted: FLAG, brand: TEXT,
  last4: { type: 'string', pattern: '^[0-9]{4}$' },
  exp_month: { type: 'integer', minimum: 1, maximum: 12 }, exp_year: { type: 'integer' },
  country: TEXT_OR_NULL, funding: TEXT_OR_NULL, network: TEXT_OR_NULL, nature: TEXT_OR_NULL,
  name: TEXT_OR_NULL, zip_code: TEXT_OR_NULL, customer: idOrNull('cust'),
  external_id: TEXT_OR_NULL,
});
export const CARD_LIST_ANSWER = pageOf('cards', CARD_ANSWER);
