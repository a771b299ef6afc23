import { ID_PREFIXES, type IdPrefix, RESOURCES } from './ids.js';

const prefixes: ReadonlyMap<string, IdPrefix> = new Map(
  ID_PREFIXES.flatMap((prefix) => RESOURCES[prefix].paths.map((name) => [name, prefix] as const)),
);

/**
 * Maps the spellings of a route (singular or plural, with or without a trailing slash) to the
 * canonical spelling: plural, without a trailing slash. Other URLs stay unchanged.
 */
export const canonicalUrl = (url: string): string => {
  if (!url.startsWith('/v2/')) return url;
  const queryAt = url.indexOf('?');
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const query = queryAt < 0 ? '' : url.slice(queryAt);
  const trimmed = path.length > 4 && path.endsWith('/') ? path.slice(0, -1) : path;
  const nameEnd = trimmed.indexOf('/', 4);
  const name = nameEnd < 0 ? trimmed.slice(4) : trimmed.slice(4, nameEnd);
  const prefix = prefixes.get(name);
  if (prefix === undefined) return trimmed + query;
  return `/v2/${RESOURCES[prefix].paths[0]}${nameEnd < 0 ? '' : trimmed.slice(nameEnd)}${query}`;
};
