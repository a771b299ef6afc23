import type { Dictionary } from './en';

/**
 * Translates a note of the API or the worker; undefined if no pattern matches, and the English note
 * is shown.
 */
export const noteText = ({ notes }: Dictionary, note: string): string | undefined => {
  for (const [pattern, text] of notes) {
    const found = pattern.exec(note);
    if (found !== null) return text(...found.slice(1));
  }
  return undefined;
};
