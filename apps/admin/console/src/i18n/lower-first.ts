/**
 * A label for use within a sentence: only its first letter becomes lower case, so that a later word
 * such as `API` keeps its capitals.
 */
export const lowerFirst = (text: string): string =>
  `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
