import { passesLuhn } from '#kernel';
import { type Day, parseDay } from '#onboarding';
import type { CompanyChangeDto } from './company.dto.js';
import type { OwnerDto, RepresentativeDto } from './owner-and-representative.dto.js';

/** A fault of a field, with its path below `details`. */
export interface Fault {
  readonly path: readonly string[];
  readonly code: string;
  readonly detail: string;
}

/** The tolerance for sums of percentages: thirds do not add up to exactly 100 in floating point. */
const ROUNDING = 1e-7;

const ABROAD = /^[\p{L}\d][\p{L}\d ./-]{1,38}$/u;

const isFrenchId = (text: string): boolean => {
  const digits = text.replace(/[\s.]/g, '');
  return /^(?:\d{9}|\d{14})$/.test(digits) && passesLuhn(digits);
};

/**
 * Checks the registration number: in France a SIREN or SIRET
 * (docs/provider/onboarding-completion.md#siren), in other countries any number of the country's
 * register.
 */
export const registrationFault = (
  number: string | undefined,
  country: string | undefined,
  path: readonly string[],
): readonly Fault[] => {
  if (number === undefined || country === undefined) return [];
  if (country === 'FR' ? isFrenchId(number) : ABROAD.test(number.trim())) return [];
  const detail =
    country === 'FR'
      ? 'must be a SIREN (9 digits) or a SIRET (14) with its check digit'
      : 'must be a number of the country’s register';
  return [{ path, code: 'registration_number', detail }];
};

const PAST_FIELDS: ReadonlySet<string> = new Set(['registeredOn', 'date']);

/** Reports the days in a company's details that are in the future. */
export const futureDays = (
  value: unknown,
  today: Day,
  path: readonly string[] = [],
): readonly Fault[] => {
  if (typeof value === 'string' && PAST_FIELDS.has(path.at(-1) ?? '')) {
    return parseDay(value) > today ? [{ path, code: 'past', detail: 'must be in the past' }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => futureDays(item, today, [...path, key]));
};

const percentFaults = (owners: readonly OwnerDto[]): readonly Fault[] =>
  (['ownershipPercent', 'votingPercent'] as const).flatMap((part) => {
    const sum = owners.reduce((total, owner) => total + (owner[part] ?? 0), 0);
    if (sum <= 100 + ROUNDING) return [];
    const detail = `the sum of ${part} must be at most 100`;
    return [{ path: ['owners'], code: 'percent_sum', detail }];
  });

/**
 * Checks that exactly one of `person` and `company` is given
 * (docs/provider/onboarding.md#representatives).
 */
export const representativeFaults = (
  representative: RepresentativeDto,
  path: readonly string[],
): readonly Fault[] => {
  const { person, company } = representative;
  if ((person === undefined) === (company === undefined)) {
    const detail = 'must have exactly one of person and company';
    return [{ path, code: 'person_or_company', detail }];
  }
  if (company === undefined) return [];
  const inner = [...path, 'company'];
  return [
    ...registrationFault(company.registrationNumber, company.country, [
      ...inner,
      'registrationNumber',
    ]),
    ...company.representatives.flatMap((one, index) =>
      representativeFaults(one, [...inner, 'representatives', String(index)]),
    ),
  ];
};

/**
 * Reports contradictions within the details. `country`: the company's country, for details that do
 * not contain it.
 */
export const ruleFaults = (
  details: CompanyChangeDto,
  country: string | undefined,
  today: Day,
): readonly Fault[] => [
  ...registrationFault(details.company?.registrationNumber, details.company?.country ?? country, [
    'company',
    'registrationNumber',
  ]),
  ...futureDays(details, today),
  ...percentFaults(details.owners ?? []),
  ...(details.representatives ?? []).flatMap((representative, index) =>
    representativeFaults(representative, ['representatives', String(index)]),
  ),
];
