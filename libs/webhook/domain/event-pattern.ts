/** An event type, a prefix of event types followed by `*`, or `*` alone. */
const PATTERN = /^(?:[A-Z][A-Za-z]{0,63})?\*?$/;

/** Whether an event type matches a pattern. */
export const matchesPattern = (type: string, pattern: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;

/** Whether the text is a pattern that at least one of the event types matches. */
export const isPatternOf = (types: readonly string[], text: string): boolean =>
  text !== '' && PATTERN.test(text) && types.some((type) => matchesPattern(type, text));
