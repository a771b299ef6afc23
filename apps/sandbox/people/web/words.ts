import type { Locale } from './locale.js';

/**
 * A module's texts in both languages; a text that exists in only one language is a compile error.
 */
export const words =
  <Key extends string>(
    english: Readonly<Record<Key, string>>,
    french: Readonly<Record<NoInfer<Key>, string>>,
  ) =>
  (locale: Locale): Readonly<Record<Key, string>> =>
    locale === 'fr' ? french : english;

/** Fills the placeholders of a text, e.g. `{amount}`. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
