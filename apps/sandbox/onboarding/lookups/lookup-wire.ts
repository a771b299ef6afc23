import { COUNTRY_USES, type CountryUse } from '../codes/countries.js';
import { exactly, FLAG, INTEGER, listOf, TEXT } from '../wire/schema.js';
import { wireQuery } from '../wire/wire-check.js';

export const currencyQuery = wireQuery<{ readonly currency: string }>({
  currency: { type: 'string', format: 'currency' },
});

export const countriesQuery = wireQuery<{ readonly type: CountryUse }>({
  type: { type: 'string', enum: COUNTRY_USES },
});

export const legalFormQuery = wireQuery<{ readonly country: string }>({
  country: { type: 'string', format: 'country-legal_form' },
});

export const positionQuery = wireQuery<{ readonly 'legal-form': string }>({
  'legal-form': { type: 'string', format: 'legal-form' },
});

export const codesAnswer = listOf(TEXT);
export const codesAndNamesAnswer = listOf(exactly({ code: TEXT, name: TEXT }));
export const amountRangesAnswer = listOf(
  exactly({ code: { type: 'string', pattern: '^\\d+_\\d+$' }, minimum: INTEGER, maximum: INTEGER }),
);
export const activitiesAnswer = listOf(exactly({ code: TEXT, name: TEXT, mcc: INTEGER }));
export const legalFormsAnswer = listOf(
  exactly({ code: TEXT, label: TEXT, description: TEXT, 'has-legal-status': FLAG }),
);
