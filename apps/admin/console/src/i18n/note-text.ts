import type { Dictionary } from './en';

/** A service's note in the viewer's language; undefined if it is shown in English, as written. */
export const noteText = ({ notes }: Dictionary, note: string): string | undefined => {
  for (const [pattern, text] of notes) {
    const found = pattern.exec(note);
    if (found !== null) return text(...found.slice(1));
  }
  return undefined;
};
