import type { Faults } from '../../api/partner/field-faults.js';
import { averageBaskets, forecastTurnovers } from '../codes/amount-ranges.js';
import { currencyOf, isLegalFormOf, positionsOf } from '../codes/legal-forms.js';
import { allRepresentatives, type CompanyFile, type Representative } from './company-file.js';
import type { CompanyInput } from './company-request.js';

interface CheckContext {
  /** Day in Europe/Paris, `YYYY-MM-DD`. */
  readonly today: string;
  readonly faults: Faults;
  /** The path of each representative in the request, for error messages. */
  readonly places: ReadonlyMap<Representative, string>;
}

/** Tolerance for the sum of shares: as doubles, nine ninths add up to slightly more than 1. */
const ROUNDING = 1e-9;

/**
 * Maximum number of owners of a company, and also maximum number of its representatives (including
 * those of legal persons), counted over all requests.
 */
const MAX_PEOPLE = 50;
/**
 * Maximum number of persons of a company, reached when no owner is also a representative. Each
 * person needs an identity card.
 */
export const MAX_PERSONS = 2 * MAX_PEOPLE;

const checkOwnersAndRepresentatives = (file: CompanyFile, { faults }: CheckContext): void => {
  const counts = {
    owners: file.owners.length,
    representatives: allRepresentatives(file.representatives).length,
  };
  for (const [field, count] of Object.entries(counts)) {
    if (count > MAX_PEOPLE) faults.add(field, `has more than ${MAX_PEOPLE} entries`);
  }
};

const PAST_FIELDS: ReadonlySet<string> = new Set(['date-registration', 'date']);

/** Every date of a company must be in the past. */
const checkPast = (value: unknown, path: readonly string[], context: CheckContext): void => {
  const name = path.at(-1) ?? '';
  if (typeof value === 'string' && PAST_FIELDS.has(name) && value > context.today) {
    context.faults.add(path.join('.'), 'must be in the past');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) checkPast(item, [...path, key], context);
};

const checkShares = (file: CompanyFile, { faults }: CheckContext): void => {
  for (const field of ['capital', 'votes'] as const) {
    const sum = file.owners.reduce((total, owner) => total + (owner[field] ?? 0), 0);
    if (sum > 1 + ROUNDING) faults.add('owners', `the sum of ${field} must be at most 1.0`);
  }
};

const checkPositions = (
  representatives: readonly Representative[],
  legalForm: string,
  formPath: string,
  context: CheckContext,
): void => {
  const allowed = positionsOf(legalForm) ?? [];
  for (const representative of representatives) {
    const place = context.places.get(representative);
    const { position, company } = representative;
    if (position !== undefined && !allowed.some(({ code }) => code === position)) {
      if (place === undefined) {
        context.faults.add(formPath, `does not allow the position ${position} of a representative`);
      } else {
        const message = `must be a code from the legal-form-position lookup of ${legalForm}`;
        context.faults.add(`${place}.position`, message);
      }
    }
    if (company === undefined) continue;
    const path = place === undefined ? 'representatives' : `${place}.company`;
    if (!isLegalFormOf(company.country, company['legal-form'])) {
      context.faults.add(`${path}.legal-form`, 'must be a legal form of the country');
    }
    checkPositions(company.representatives, company['legal-form'], `${path}.legal-form`, context);
  }
};

const checkCodes = (file: CompanyFile, { faults }: CheckContext): void => {
  const currency = currencyOf(file.country);
  const lists = {
    'average-basket': averageBaskets(currency),
    'forecast-turnover': forecastTurnovers(currency),
  };
  for (const [field, list] of Object.entries(lists)) {
    const code = file[field === 'average-basket' ? field : 'forecast-turnover'];
    if (code !== undefined && !list.some((range) => range.code === code)) {
      faults.add(field, `must be a code from the ${field} lookup for ${currency}`);
    }
  }
  if (!isLegalFormOf(file.country, file['legal-form'])) {
    faults.add('legal-form', 'must be a legal form of the country');
  }
};

/**
 * Checks the rules that involve several fields of a company: sums of shares, and codes for the
 * country, currency or legal form.
 */
export const checkCompany = (
  file: CompanyFile,
  input: CompanyInput,
  context: CheckContext,
): void => {
  checkPast(input, [], context);
  checkOwnersAndRepresentatives(file, context);
  checkShares(file, context);
  checkCodes(file, context);
  checkPositions(file.representatives, file['legal-form'], 'legal-form', context);
};
