import { CURRENCIES } from '#kernel';
import { InvalidSearch } from './invalid-search.js';
import type { Filter, List } from './list.js';
import type { Range } from './search-range.js';
import { parseSearch, type SearchCondition, type Vocabulary } from './search-query.js';

/** The operators that compare one field, each with the filter that it uses. */
const FIELDS: Readonly<Record<string, string>> = {
  currency: 'currency',
  method: 'method',
  merchant: 'merchantId',
  account: 'accountId',
  platform: 'platformId',
  order: 'orderId',
  intent: 'intentId',
  reference: 'reference',
  company: 'companyId',
  last4: 'lastFour',
};

const RANGES: Readonly<Record<string, string>> = { amount: 'amountFrom', date: 'from' };

const ownStatuses = ({ filters }: List): readonly string[] => {
  const { status } = filters;
  return status?.is === 'several' ? status.of : [];
};

/** The operators that a search of the list supports, one for each matching filter of the list. */
const vocabularyOf = (list: List): Vocabulary => ({
  operators: Object.entries({ status: 'status', ...RANGES, ...FIELDS })
    .filter(([, filter]) => Object.hasOwn(list.filters, filter))
    .map(([operator]) => operator),
  statuses: [...ownStatuses(list), ...Object.keys(list.search?.statuses ?? {})],
});

/**
 * The conditions of a search of this list.
 * @throws InvalidSearch
 */
export const conditionsOfSearch = (list: List, text: string): readonly SearchCondition[] =>
  parseSearch(text, vocabularyOf(list));

/** The ids of the rows that were found by each word of a search. */
export type FoundByWord = ReadonlyMap<string, readonly string[]>;

type Put = (value: unknown) => string;

/** The condition of a filter for a value; a list without the filter has no matching rows. */
const conditionOf = ({ filters }: List, name: string, value: string): string => {
  const filter = filters[name];
  return filter === undefined || filter.is === 'case' || filter.is === 'group'
    ? 'false'
    : filter.where.replaceAll('?', value);
};

const checkChoice = (operator: string, value: string, filter: Filter | undefined): void => {
  if (filter?.is !== 'one' || filter.of.includes(value)) return;
  throw new InvalidSearch(
    `“${operator}:${value}” is not possible: use one of ${filter.of.join(', ')}`,
  );
};

const inRange = (
  list: List,
  names: readonly [from: string, to: string],
  { from, to }: Range<unknown>,
  put: Put,
): readonly string[] => {
  if (list.filters[names[0]] === undefined) return ['false'];
  return [
    ...(from === null ? [] : [conditionOf(list, names[0], put(from))]),
    ...(to === null ? [] : [conditionOf(list, names[1], put(to))]),
  ];
};

const asDay = (instant: string | null): string | null => instant?.slice(0, 10) ?? null;

/**
 * An amount without a currency is searched in each currency separately, so that the indexes by
 * currency are used.
 */
const sqlOfAmount = (list: List, minor: Range<number>, put: Put): readonly string[] =>
  list.filters['currency'] === undefined
    ? ['false']
    : [
        ...inRange(list, ['amountFrom', 'amountTo'], minor, put),
        conditionOf(list, 'currency', `ANY (${put(CURRENCIES)})`),
      ];

const sqlOfDate = (list: List, { from, to }: Range<string>, put: Put): readonly string[] => {
  const isDay = list.filters['from']?.is === 'day';
  const range = isDay ? { from: asDay(from), to: asDay(to) } : { from, to };
  return inRange(list, ['from', 'to'], range, put);
};

const sqlOfStatus = (list: List, anyOf: readonly string[], put: Put): string => {
  const own = anyOf.filter((status) => ownStatuses(list).includes(status));
  const others = anyOf.flatMap((status) => list.search?.statuses?.[status] ?? []);
  if (own.length === 0) return `(${others.join(' OR ')})`;
  // A single value is compared with `=`, so that an index can provide the sort order.
  const value = own.length === 1 ? put(own[0]) : `ANY (${put(own)})`;
  return `(${[conditionOf(list, 'status', value), ...others].join(' OR ')})`;
};

/** The SQL conditions of a search. */
export const sqlOfSearch = (
  list: List,
  conditions: readonly SearchCondition[],
  found: FoundByWord,
  put: Put,
): readonly string[] =>
  conditions.flatMap((one): readonly string[] => {
    switch (one.is) {
      case 'amount':
        return sqlOfAmount(list, one.minor, put);
      case 'date':
        return sqlOfDate(list, one.instants, put);
      case 'status':
        return [sqlOfStatus(list, one.anyOf, put)];
      case 'field': {
        const name = FIELDS[one.operator] ?? one.operator;
        checkChoice(one.operator, one.value, list.filters[name]);
        return list.filters[name] === undefined
          ? ['false']
          : [conditionOf(list, name, put(one.value))];
      }
      case 'word': {
        const byWord = `${list.id} = ANY (${put(found.get(one.text) ?? [])})`;
        const { amountMinor: minor } = one;
        if (minor === null) return [byWord];
        const byAmount = sqlOfAmount(list, { from: minor, to: minor }, put);
        return [`(${byWord} OR (${byAmount.join(' AND ')}))`];
      }
    }
  });

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/**
 * The SQL that finds the ids of the rows in which a word occurs, and the SQL's values. In `sql`,
 * `:word` stands for the word. `:begins`, `:ends` and `:part` stand for LIKE patterns, which match
 * texts that begin with the word, reversed texts that end with it, and texts that contain it.
 */
export const wordStatement = (
  sql: string,
  word: string,
  rows: number,
): { readonly text: string; readonly values: readonly string[] } => {
  const patterns: Readonly<Record<string, string>> = {
    word,
    begins: `${escaped(word)}%`,
    ends: `${escaped(Array.from(word).toReversed().join(''))}%`,
    part: `%${escaped(word)}%`,
  };
  const values: string[] = [];
  const names = new Map<string, string>();
  const text = sql.replaceAll(/:(word|begins|ends|part)\b/g, (_, name: string) => {
    const known = names.get(name) ?? `$${values.push(patterns[name] ?? '')}`;
    names.set(name, known);
    return known;
  });
  return { text: `SELECT id FROM (${text}) AS found (id) LIMIT ${rows}`, values };
};
