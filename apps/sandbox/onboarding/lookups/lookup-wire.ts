import { COUNTRY_USES, type CountryUse } from '../codes/countries.js';
import { described, FLAG, INTEGER, listOf, shape, TEXT } from '../../api/answers.js';
import { exactly } from '../wire/schema.js';
import { wireQuery } from '../wire/wire-check.js';

export const currencyQuery = wireQuery({
  currency: shape<string>({ type: 'string', format: 'currency' }),
});

export const countriesQuery = wireQuery({
  type: shape<CountryUse>({ type: 'string', enum: COUNTRY_USES }),
});

export const legalFormQuery = wireQuery({
  country: shape<string>({ type: 'string', format: 'country-legal_form' }),
});

export const positionQuery = wireQuery({
  'legal-form': shape<string>({ type: 'string', format: 'legal-form' }),
});

export const codesAnswer = listOf(TEXT);
export const codesAndNamesAnswer = listOf(exactly({ code: TEXT, name: TEXT }));
export const amountRangesAnswer = listOf(
  exactly({
    code: shape<string>({ type: 'string', pattern: '^\\d+_\\d+$' }),
    minimum: INTEGER,
    maximum: INTEGER,
  }),
);
export const activitiesAnswer = listOf(
  exactly({
    code: TEXT,
    name: TEXT,
    mcc: described('The merchant category code.', INTEGER),
  }),
);
export const legalFormsAnswer = listOf(
  exactly({ code: TEXT, label: TEXT, description: TEXT, 'has-legal-status': FLAG }),
);
