/** A query parameter as text; the parameter may be repeated or missing. */
export const queryText = (query: unknown, name: string): string => {
  const value: unknown = Reflect.get(query as object, name);
  return typeof value === 'string' ? value.trim().slice(0, 200) : '';
};

/** The offset of a page. */
export const queryStart = (query: unknown): number => {
  const text = queryText(query, 'start');
  return /^\d{1,7}$/.test(text) ? Number(text) : 0;
};
