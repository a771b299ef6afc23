import type { CompanyPatch, CreateCompanyBody } from '#psp-hosted';
import { jsonPointer } from '#platform';
import type { CompanyChangeDto, CompanyDto } from './company.dto.js';

/*
 * The one place where our names and the provider's meet: `zipCode` here is `zip-code` there, at
 * every depth. The types say so too, so that a field whose name does not fit does not compile.
 */

type HyphenatedName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Uppercase<First>
    ? First extends Lowercase<First>
      ? `${First}${HyphenatedName<Rest>}`
      : `-${Lowercase<First>}${HyphenatedName<Rest>}`
    : `${First}${HyphenatedName<Rest>}`
  : Name;

/** The same value by the provider's names. */
export type Hyphenated<T> = T extends readonly (infer Item)[]
  ? readonly Hyphenated<Item>[]
  : T extends object
    ? { readonly [K in keyof T as HyphenatedName<K & string>]: Hyphenated<T[K]> }
    : T;

const toHyphens = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** One of the provider's names as ours. */
const toCamel = (name: string): string =>
  name.replace(/-([a-z])/g, (_hyphen, letter: string) => letter.toUpperCase());

const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [rename(name), renamed(item, rename)]),
  );
};

/** By the provider's names; fields that were left out stay out. */
export const hyphenated = <T>(value: T): Hyphenated<T> =>
  renamed(value, toHyphens) as Hyphenated<T>;

/** By our names. */
export const camelCased = (value: unknown): unknown => renamed(value, toCamel);

/** What POST /company takes. */
export const companyBody = (company: CompanyDto): CreateCompanyBody => hyphenated(company);

/** What PATCH /company takes. */
export const companyPatch = (change: CompanyChangeDto): CompanyPatch => hyphenated(change);

/** A path of the provider's, e.g. `owners.0.person.first-name`, by our names. */
export const ourPath = (path: string): string => path.split('.').map(toCamel).join('.');

/** Where the provider's path is in a request of ours whose company stands under `root`. */
export const pointerOf = (path: string, root: readonly string[] = ['details']): string =>
  jsonPointer([...root, ...path.split('.').filter((step) => step !== '').map(toCamel)]);
