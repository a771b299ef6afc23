import { CURRENCIES, type Currency, isCurrency } from '#kernel';
import { amountRange, exactAmount, isWholeNumber } from './search-amount.js';
import { dateRange } from './search-date.js';
import { InvalidSearch } from './invalid-search.js';
import type { Range } from './search-range.js';

/**
 * A condition of a search; a row must meet all of them. `word`: a part of an id or reference; if
 * `amountMinor` is not null, the word is a whole number, and rows of this amount are found as well.
 * `field`: an operator with the exact value of a field.
 */
export type SearchCondition =
  | { readonly is: 'word'; readonly text: string; readonly amountMinor: number | null }
  | { readonly is: 'amount'; readonly minor: Range<number> }
  | { readonly is: 'status'; readonly anyOf: readonly string[] }
  | { readonly is: 'date'; readonly instants: Range<string> }
  | { readonly is: 'field'; readonly operator: string; readonly value: string };

/** The search operators of a list, and the values of its operator `status`. */
export interface Vocabulary {
  readonly operators: readonly string[];
  readonly statuses: readonly string[];
}

/** Words in quotes may contain spaces and colons, and are never an amount, a date or a status. */
const TOKEN = /"([^"]*)"|([^\s"]*:"[^"]*"|[^ \t"]+)/g;

const MAX_CONDITIONS = 10;
/** An index on parts of words needs three letters or digits in a row. */
const SEARCHABLE = /[\da-z]{3}/i;
const DAY = /^\d{4}-\d\d-\d\d$/;

const word = (text: string): SearchCondition => {
  if (SEARCHABLE.test(text)) return { is: 'word', text, amountMinor: null };
  throw new InvalidSearch(
    `“${text}” is too short: enter at least 3 letters or digits in a row of an id or reference`,
  );
};

const currencyOf = (text: string): Currency | null => {
  const code = text.toLowerCase();
  return isCurrency(code) ? code : null;
};

const fieldOf = (operator: string, value: string): SearchCondition => {
  if (operator === 'currency' && currencyOf(value) === null)
    throw new InvalidSearch(`“${value}” is not a currency: use one of ${CURRENCIES.join(', ')}`);
  const exact = operator === 'currency' || operator === 'method' ? value.toLowerCase() : value;
  return { is: 'field', operator, value: exact };
};

const statusOf = (value: string, { statuses }: Vocabulary): SearchCondition => {
  const anyOf = value.toLowerCase().split(',');
  const unknown = anyOf.find((one) => !statuses.includes(one));
  if (unknown === undefined) return { is: 'status', anyOf };
  throw new InvalidSearch(`“${unknown}” is not a status here: use one of ${statuses.join(', ')}`);
};

const operatorOf = (name: string, value: string, vocabulary: Vocabulary): SearchCondition => {
  const operator = name.toLowerCase();
  const { operators } = vocabulary;
  if (!operators.includes(operator)) {
    const possible = operators.map((one) => `${one}:`).join(', ');
    throw new InvalidSearch(
      `“${name}:” is not a search operator here: use one of ${possible}, or put a text that ` +
        'contains a colon in quotes',
    );
  }
  switch (operator) {
    case 'amount':
      return { is: 'amount', minor: amountRange(value) };
    case 'status':
      return statusOf(value, vocabulary);
    case 'date':
      return { is: 'date', instants: dateRange(value) };
    default:
      return fieldOf(operator, value);
  }
};

const bare = (text: string, vocabulary: Vocabulary): readonly SearchCondition[] => {
  const currency = currencyOf(text);
  if (currency !== null) return [fieldOf('currency', currency)];
  if (vocabulary.statuses.includes(text.toLowerCase())) return [statusOf(text, vocabulary)];
  if (DAY.test(text)) return [{ is: 'date', instants: dateRange(text) }];
  const amount = exactAmount(text);
  if (amount === null) return [word(text)];
  const { minor, of } = amount;
  if (of !== null || !isWholeNumber(text) || !SEARCHABLE.test(text)) {
    const found: SearchCondition = { is: 'amount', minor: { from: minor, to: minor } };
    return of === null ? [found] : [found, fieldOf('currency', of)];
  }
  return [{ is: 'word', text, amountMinor: minor }];
};

/** A whole number beside a currency is an amount and not a part of an id. */
const withCurrency = (conditions: readonly SearchCondition[]): readonly SearchCondition[] => {
  if (!conditions.some((one) => one.is === 'field' && one.operator === 'currency'))
    return conditions;
  return conditions.map((one) =>
    one.is === 'word' && one.amountMinor !== null
      ? { is: 'amount', minor: { from: one.amountMinor, to: one.amountMinor } }
      : one,
  );
};

const OPERATOR = /^([a-z]\w*):(.+)$/i;
const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1');

/**
 * The conditions of a search text such as `status:refunded amount:>100 4Xk2`. Pure.
 * @throws InvalidSearch that says what is wrong, and what is possible.
 */
export const parseSearch = (text: string, vocabulary: Vocabulary): readonly SearchCondition[] => {
  const conditions = [...text.matchAll(TOKEN)].flatMap(([, quoted, token = '']) => {
    if (quoted !== undefined) return [word(quoted)];
    const [, name, value] = OPERATOR.exec(token) ?? [];
    return name === undefined || value === undefined
      ? bare(token, vocabulary)
      : [operatorOf(name, unquoted(value), vocabulary)];
  });
  if (conditions.length > MAX_CONDITIONS)
    throw new InvalidSearch(`a search has at most ${MAX_CONDITIONS} words and operators`);
  return withCurrency(conditions);
};
