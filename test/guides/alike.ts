/**
 * Matches a day or an instant. Only its format is compared, because its value depends on when the
 * guide is run.
 */
const TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/;

const formOf = (time: string): string => time.replaceAll(/\d+/g, '0');

export const escaped = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const isAlikeText = (shown: string, actual: unknown): boolean => {
  if (typeof actual !== 'string') return false;
  if (TIME.test(shown)) return formOf(shown) === formOf(actual);
  const pattern = shown.split('…').map(escaped).join('.+');
  return new RegExp(`^${pattern}$`, 's').test(actual);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Compares the JSON that a guide shows with the actual output of a command; returns a line for each
 * difference, with its JSON path. The output must contain every field and item that the guide
 * shows, and may contain more. In a text of the guide, `…` matches any characters, and a time
 * matches any time.
 */
export const differences = (shown: unknown, actual: unknown, path = '$'): readonly string[] => {
  if (Array.isArray(shown) && Array.isArray(actual)) {
    return shown.flatMap((item, at) => differences(item, actual[at], `${path}[${at}]`));
  }
  if (isObject(shown) && isObject(actual)) {
    return Object.entries(shown).flatMap(([name, value]) =>
      differences(value, actual[name], `${path}.${name}`),
    );
  }
  const isAlike = typeof shown === 'string' ? isAlikeText(shown, actual) : shown === actual;
  return isAlike
    ? []
    : [`${path}: the page shows ${JSON.stringify(shown)}, the answer ${JSON.stringify(actual)}`];
};
