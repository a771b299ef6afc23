import type { CodeList } from '#psp';
import { COUNTRY, LEGAL_FORM, PRODUCT, RANGE, SNAKE } from './wire-codes.js';
import { type Code, SAME } from './wire-mapping.js';

interface Lookup {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** How the codes of this list are converted to the provider's codes. */
  readonly code: Code;
}

const wireCode = (code: Code, ours: string): string => String(code.toWire(ours));

/** The provider's list of codes (docs/provider/onboarding.md#lookups). */
export const lookupOf = (list: CodeList): Lookup => {
  switch (list.list) {
    case 'activities':
      return { path: '/naf-code', code: SAME };
    case 'products':
      return { path: '/service', code: PRODUCT };
    case 'languages':
      return { path: '/language', code: SAME };
    case 'sectors':
      return { path: '/field-of-activity', code: SNAKE };
    case 'countries':
      return { path: '/countries', query: { type: list.of }, code: COUNTRY };
    case 'legal_forms': {
      const query = { country: wireCode(COUNTRY, list.of) };
      return { path: '/legal-form', query, code: LEGAL_FORM };
    }
    case 'average_baskets':
      return { path: '/average-basket', query: { currency: list.of.toLowerCase() }, code: RANGE };
    case 'forecast_turnovers':
      return {
        path: '/forecast-turnover',
        query: { currency: list.of.toLowerCase() },
        code: RANGE,
      };
    case 'positions': {
      const query = { 'legal-form': wireCode(LEGAL_FORM, list.of) };
      return { path: '/legal-form-position', query, code: SNAKE };
    }
  }
};
