import { assert } from '#kernel';
import type { List } from './list.js';

type Named<Own extends List> = keyof Own['columns'] | keyof Own['filters'];

const renamed = <Value>(
  all: Readonly<Record<string, Value>>,
  names: Readonly<Record<string, string | null | undefined>>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([own, value]) => {
      const name = names[own];
      return name === null ? [] : [[name ?? own, value]];
    }),
  );

/**
 * A list as a platform sees it: only its own rows, with the API's field names. `null` hides a
 * field.
 */
export const forPlatforms = <Own extends List>(
  list: Own,
  names: Readonly<Partial<Record<Named<Own>, string | null>>>,
): List => {
  assert(list.platform !== undefined, 'each row of a list for platforms belongs to one platform');
  const own = { ...names, platformId: null };
  return { ...list, columns: renamed(list.columns, own), filters: renamed(list.filters, own) };
};
