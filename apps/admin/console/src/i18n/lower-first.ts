/** A label for use within a sentence: only its first letter changes, so that API stays. */
export const lowerFirst = (text: string): string =>
  `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
