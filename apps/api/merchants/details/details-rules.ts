import { passesLuhn } from '#kernel';
import { type Day, parseDay } from '#onboarding';
import type { CompanyChangeDto } from './company.dto.js';
import type { OwnerDto, RepresentativeDto } from './head.dto.js';

/** What is wrong with a field, and where it stands below `details`. */
export interface Fault {
  readonly path: readonly string[];
  readonly code: string;
  readonly detail: string;
}

/** Halves and thirds do not add up to exactly 1 in a double. */
const ROUNDING = 1e-9;

const ABROAD = /^[\p{L}\d][\p{L}\d ./-]{1,38}$/u;

const isFrenchId = (text: string): boolean => {
  const digits = text.replace(/[\s.]/g, '');
  return /^(?:\d{9}|\d{14})$/.test(digits) && passesLuhn(digits);
};

/** Completion, "SIREN"; abroad it is the number of that country's register, as it was given. */
export const legalIdFault = (
  legalId: string | undefined, country: string | undefined, path: readonly string[],
): readonly Fault[] => {
  if (legalId === undefined || country === undefined) return [];
  if (country === 'fra' ? isFrenchId(legalId) : ABROAD.test(legalId.trim())) return [];
  const detail = country === 'fra'
    ? 'must be a SIREN (9 digits) or a SIRET (14) with its check digit'
    : 'must be a number of the country’s register';
  return [{ path, code: 'legal_id', detail }];
};

const PAST_FIELDS: ReadonlySet<string> = new Set(['dateRegistration', 'date']);

/** Every day in a company's details is one that has been. */
export const futureDays = (
  value: unknown, today: Day, path: readonly string[] = [],
): readonly Fault[] => {
  if (typeof value === 'string' && PAST_FIELDS.has(path.at(-1) ?? '')) {
    return parseDay(value) > today ? [{ path, code: 'past', detail: 'must be in the past' }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => futureDays(item, today, [...path, key]));
};

const shareFaults = (owners: readonly OwnerDto[]): readonly Fault[] =>
  (['capital', 'votes'] as const).flatMap((share) => {
    const sum = owners.reduce((total, owner) => total + (owner[share] ?? 0), 0);
    if (sum <= 1 + ROUNDING) return [];
    const detail = `the sum of ${share} must be at most 1`;
    return [{ path: ['owners'], code: 'share_sum', detail }];
  });

/** Specification, "Representatives": exactly one of `person` and `company`. */
export const representativeFaults = (
  head: RepresentativeDto, path: readonly string[],
): readonly Fault[] => {
  const { person, company } = head;
  if ((person === undefined) === (company === undefined)) {
    const detail = 'must have exactly one of person and company';
    return [{ path, code: 'person_or_company', detail }];
  }
  if (company === undefined) return [];
  const inner = [...path, 'company'];
  return [
    ...legalIdFault(company.legalId, company.country, [...inner, 'legalId']),
    ...company.representatives.flatMap((one, index) =>
      representativeFaults(one, [...inner, 'representatives', String(index)])),
  ];
};

/** What the details say against themselves. `country`: the company's, where they do not name it. */
export const ruleFaults = (
  details: CompanyChangeDto, country: string | undefined, today: Day,
): readonly Fault[] => [
  ...legalIdFault(details.legalId, details.country ?? country, ['legalId']),
  ...futureDays(details, today),
  ...shareFaults(details.owners ?? []),
  ...(details.representatives ?? []).flatMap((head, index) =>
    representativeFaults(head, ['representatives', String(index)])),
];
