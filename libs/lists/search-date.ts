import { InvalidSearch } from './invalid-search.js';
import { comparisonOf, type Range } from './search-range.js';

const PERIOD = /^((?:19|20)\d\d)(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?$/;

/** The instants of a year, a month or a day in UTC. */
const periodOf = (text: string, value: string): { readonly from: string; readonly to: string } => {
  const [, year, month, day] = PERIOD.exec(text) ?? [];
  const start = Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  const end =
    month === undefined
      ? Date.UTC(Number(year) + 1, 0, 1)
      : day === undefined
        ? Date.UTC(Number(year), Number(month), 1)
        : Date.UTC(Number(year), Number(month) - 1, Number(day) + 1);
  const isReal = year !== undefined && new Date(start).toISOString().startsWith(text);
  if (isReal) return { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
  throw new InvalidSearch(
    `“date:${value}” is not a date: write date:2026-03-01, date:2026-03, date:>=2026-03-01 or ` +
      'date:2026-03-01..2026-03-31; days are in UTC',
  );
};

/**
 * The instants of `2026-03-01`, `2026-03`, `>2026-03-01`, `<=2026-03` or `2026-03-01..2026-03-31`;
 * days, months and years are in UTC.
 */
export const dateRange = (value: string): Range<string> => {
  const [, first, last] = /^(.+?)\.\.(.+)$/.exec(value) ?? [];
  if (first !== undefined && last !== undefined)
    return { from: periodOf(first, value).from, to: periodOf(last, value).to };
  const { comparison, text } = comparisonOf(value);
  const { from, to } = periodOf(text, value);
  switch (comparison) {
    case '>':
      return { from: to, to: null };
    case '>=':
      return { from, to: null };
    case '<':
      return { from: null, to: from };
    case '<=':
      return { from: null, to };
    case undefined:
      return { from, to };
  }
};
