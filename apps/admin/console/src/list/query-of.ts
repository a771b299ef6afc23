import { minorOf } from '../shared/format';
import { dayAfter, momentOf } from './days';
import type { FilterField } from './filter-field';
import { severalOf } from './several-field';
import type { FilterValues } from './use-filters';
import type { PageQuery } from './use-pages';

/**
 * The minor units of an amount filter; null if it is no amount or no currency is chosen. The page
 * then shows the problem and does not read the list.
 */
const minorText = (value: string, currency: string | undefined): string | null => {
  const minor = currency === undefined ? null : minorOf(value, currency);
  return minor === null ? null : String(minor);
};

const ORDER = /^(\w+)\.(asc|desc)$/;

/** Parses the sort parameter of the page's URL, which includes the direction: `amount.asc`. */
const orderOf = (value: string): PageQuery => {
  const [, sort, direction] = ORDER.exec(value) ?? [];
  return sort === undefined || direction === undefined ? {} : { sort, direction };
};

/** Filters whose value is the last included day. The API query needs the end of that day. */
const ENDS: ReadonlySet<string> = new Set(['to', 'updatedTo', 'expiresTo', 'sinceTo', 'at']);

/** The value of a filter that the viewer has not set. */
const unsetOf = (field: FilterField<string>): string | undefined => {
  if (field.kind === 'month') return field.usually;
  return field.kind === 'choice' ? field.unset : undefined;
};

/** Converts the filters into the API query. */
export const queryOf = <Name extends string>(
  fields: readonly FilterField<Name>[],
  values: FilterValues<Name>,
): PageQuery => {
  const { currency } = values as FilterValues<string>;
  const entries = fields.flatMap(
    (field): readonly (readonly [string, PageQuery[string] | null])[] => {
      const { name, kind } = field;
      const value = values[name] ?? unsetOf(field);
      if (value === undefined) return [];
      if (name === 'sort') return Object.entries(orderOf(value));
      const isEnd = ENDS.has(name);
      switch (kind) {
        case 'day':
          return [[name, momentOf(value, isEnd)]];
        case 'date':
          return [[name, isEnd ? dayAfter(value) : value]];
        case 'several':
          return [[name, severalOf(value)]];
        case 'amount':
          return [[name, minorText(value, currency)]];
        case 'choice':
        case 'month':
        case 'text':
          return [[name, value]];
      }
    },
  );
  return Object.fromEntries(entries.filter((entry) => entry[1] !== null)) as PageQuery;
};

/** The query string of a CSV download; several values repeat the parameter. */
export const searchOf = (query: PageQuery): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : value.map((one) => [name, one]),
    ),
  ).toString();
