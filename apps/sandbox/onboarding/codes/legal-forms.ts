import { assert } from '#kernel';
import type { CodeAndName } from './code-and-name.js';
import { LEGAL_FORM_TABLE } from './legal-form-table.js';

/** The family of a legal form, which determines the positions that may represent the company. */
type Family =
  | 'simplified'
  | 'managed'
  | 'joint-stock'
  | 'two-tier'
  | 'association'
  | 'public'
  | 'sole'
  | 'unincorporated';

/** A legal form as in lookup and company responses. */
export interface LegalForm {
  readonly code: string;
  readonly label: string;
  readonly description: string;
  readonly 'has-legal-status': boolean;
}

interface KnownForm extends LegalForm {
  readonly country: string;
  readonly family: Family;
}

const POSITIONS: Readonly<Record<Family, readonly CodeAndName[]>> = {
  simplified: [
    { code: 'president', name: 'President' },
    { code: 'chief-executive', name: 'Chief executive officer' },
    { code: 'deputy-chief-executive', name: 'Deputy chief executive officer' },
    { code: 'proxy', name: 'Holder of a power of attorney' },
  ],
  managed: [
    { code: 'manager', name: 'Manager' },
    { code: 'co-manager', name: 'Joint manager' },
    { code: 'partner', name: 'Partner' },
    { code: 'proxy', name: 'Holder of a power of attorney' },
  ],
  'joint-stock': [
    { code: 'chair-and-chief-executive', name: 'Chair and chief executive officer' },
    { code: 'chair', name: 'Chair of the board' },
    { code: 'chief-executive', name: 'Chief executive officer' },
    { code: 'deputy-chief-executive', name: 'Deputy chief executive officer' },
    { code: 'director', name: 'Member of the board' },
    { code: 'proxy', name: 'Holder of a power of attorney' },
  ],
  'two-tier': [
    { code: 'management-chair', name: 'Chair of the management board' },
    { code: 'management-member', name: 'Member of the management board' },
    { code: 'supervisory-chair', name: 'Chair of the supervisory board' },
    { code: 'proxy', name: 'Holder of a power of attorney' },
  ],
  association: [
    { code: 'president', name: 'President' },
    { code: 'vice-president', name: 'Vice president' },
    { code: 'treasurer', name: 'Treasurer' },
    { code: 'secretary', name: 'Secretary' },
    { code: 'director', name: 'Director' },
  ],
  public: [
    { code: 'director', name: 'Director' },
    { code: 'accountant', name: 'Public accountant' },
    { code: 'elected', name: 'Elected representative' },
  ],
  sole: [{ code: 'owner', name: 'Owner' }],
  unincorporated: [
    { code: 'manager', name: 'Manager' },
    { code: 'partner', name: 'Partner' },
  ],
};

const FAMILIES = Object.keys(POSITIONS) as readonly Family[];

const formOf = (country: string, line: string): KnownForm => {
  const [, label = '', description = '', name] = /^(\S+) = (.+) : (\S+)$/.exec(line.trim()) ?? [];
  const family = FAMILIES.find((known) => known === name);
  assert(family !== undefined, `'${line}' names a family`);
  return {
    code: `${country}-${label.toLowerCase()}`,
    label,
    description,
    'has-legal-status': family !== 'sole' && family !== 'unincorporated',
    country,
    family,
  };
};

const forms = new Map(
  Object.entries(LEGAL_FORM_TABLE)
    .flatMap(([country, lines]) => lines.split('\n').map((line) => formOf(country, line)))
    .map((form) => [form.code, form]),
);

/** The countries in which a company may be registered, in order. */
export const LEGAL_FORM_COUNTRIES: readonly string[] = Object.keys(LEGAL_FORM_TABLE).sort();

const shown = ({ code, label, description, 'has-legal-status': has }: KnownForm): LegalForm => ({
  code,
  label,
  description,
  'has-legal-status': has,
});

/** The legal forms of a country. */
export const legalFormsOf = (country: string): readonly LegalForm[] =>
  [...forms.values()].filter((form) => form.country === country).map(shown);

/** The legal form with this code; null when there is none. */
export const legalForm = (code: string): LegalForm | null => {
  const known = forms.get(code);
  return known === undefined ? null : shown(known);
};

export const isLegalFormOf = (country: string, code: string): boolean =>
  forms.get(code)?.country === country;

/** The positions that may represent a company of this form; null for an unknown form. */
export const positionsOf = (legalFormCode: string): readonly CodeAndName[] | null => {
  const known = forms.get(legalFormCode);
  return known === undefined ? null : POSITIONS[known.family];
};

const CURRENCIES: Readonly<Record<string, string>> = {
  bgr: 'eur',
  che: 'chf',
  cze: 'czk',
  dnk: 'dkk',
  gbr: 'gbp',
  hun: 'huf',
  isl: 'isk',
  lie: 'chf',
  nor: 'nok',
  pol: 'pln',
  rou: 'ron',
  swe: 'sek',
};

/** The currency of companies in the country; the default is the euro. */
export const currencyOf = (country: string): string => CURRENCIES[country] ?? 'eur';
