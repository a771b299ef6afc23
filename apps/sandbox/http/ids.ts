import { invalid } from './api-error.js';

/** Every resource that has an id, as messages call it. */
export const RESOURCES = {
  cust: 'Customer',
  card: 'Card',
  pi: 'Payment intent',
  paym: 'Payment',
  we: 'Webhook endpoint',
  evt: 'Event',
} as const;

export type IdPrefix = keyof typeof RESOURCES;

/** Ids of resources, those included that nothing here makes yet: an intent may refer to them. */
export const idPattern = (prefix: IdPrefix | 'sepa' | 'addr'): string =>
  `^${prefix}_[a-zA-Z0-9]{24}$`;

const patterns = Object.fromEntries(
  (Object.keys(RESOURCES) as IdPrefix[]).map((prefix) => [prefix, new RegExp(idPattern(prefix))]),
) as Readonly<Record<IdPrefix, RegExp>>;

export const isId = (prefix: IdPrefix, text: string): boolean => patterns[prefix].test(text);

/** The id of a path; throws `ApiError` 422 when it does not have the pattern of its resource. */
export const pathId = (prefix: IdPrefix, text: string): string => {
  if (isId(prefix, text)) return text;
  throw invalid({
    loc: ['path', 'id'],
    msg: `Input should match pattern '${idPattern(prefix)}'`,
    type: 'string_pattern_mismatch',
  });
};
