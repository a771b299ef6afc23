import { CURRENCIES } from '#kernel';
import { amountRange, currencyOf, exactAmount, isWholeNumber } from './search-amount.js';
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

const fieldOf = (operator: string, value: string): SearchCondition => {
  if (operator === 'currency') {
    const currency = currencyOf(value);
    if (currency !== null) return { is: 'field', operator, value: currency };
    throw new InvalidSearch(`“${value}” is not a currency: use one of ${CURRENCIES.join(', ')}`);
  }
  return { is: 'field', operator, value: operator === 'method' ? value.toLowerCase() : value };
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

/** A token of a search with its conditions; `isCurrency`: it is only a currency, e.g. `EUR`, `€`. */
interface Token {
  readonly conditions: readonly SearchCondition[];
  readonly isCurrency: boolean;
}

/** Reads the token as an amount; null if it is not a number, or contains a currency itself. */
const asAmount = (token: Token | undefined): Token | null => {
  const [one, other] = token?.conditions ?? [];
  if (token === undefined || one === undefined || other !== undefined) return null;
  if (one.is === 'amount') return token;
  if (one.is !== 'word' || one.amountMinor === null) return null;
  const minor = { from: one.amountMinor, to: one.amountMinor };
  return { conditions: [{ is: 'amount', minor }], isCurrency: false };
};

/**
 * A whole number beside a currency is an amount and not a part of an id. The currency belongs to
 * the number before it, otherwise to the number after it.
 */
const withCurrency = (tokens: readonly Token[]): readonly Token[] => {
  const found = [...tokens];
  for (const [index, { isCurrency }] of tokens.entries()) {
    if (!isCurrency) continue;
    const place = asAmount(found[index - 1]) === null ? index + 1 : index - 1;
    const amount = asAmount(found[place]);
    if (amount !== null) found[place] = amount;
  }
  return found;
};

const OPERATOR = /^([a-z]\w*):(.+)$/i;
const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1');

/**
 * The conditions of a search text such as `status:refunded amount:>100 4Xk2`. Pure.
 * @throws InvalidSearch that says what is wrong, and what is possible.
 */
export const parseSearch = (text: string, vocabulary: Vocabulary): readonly SearchCondition[] => {
  const tokens = [...text.matchAll(TOKEN)].map(([, quoted, token = '']): Token => {
    if (quoted !== undefined) return { conditions: [word(quoted)], isCurrency: false };
    const [, name, value] = OPERATOR.exec(token) ?? [];
    return name === undefined || value === undefined
      ? { conditions: bare(token, vocabulary), isCurrency: currencyOf(token) !== null }
      : { conditions: [operatorOf(name, unquoted(value), vocabulary)], isCurrency: false };
  });
  const conditions = withCurrency(tokens).flatMap((one) => one.conditions);
  if (conditions.length > MAX_CONDITIONS)
    throw new InvalidSearch(`a search has at most ${MAX_CONDITIONS} words and operators`);
  return conditions;
};
