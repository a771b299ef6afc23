/** The value of a cookie in the header `Cookie`; null if there is none. */
export const cookieIn = (header: string | undefined, name: string): string | null => {
  const start = `${name}=`;
  const pairs = (header ?? '').split(';', 50).map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
};
