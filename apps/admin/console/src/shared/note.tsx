import { noteText } from '../i18n/note-text';
import { useT } from '../i18n/i18n';

/**
 * A note of the API or the worker, in the viewer's language if it has a translation, else in
 * English.
 */
export const Note = ({ text }: { readonly text: string }) => {
  const own = noteText(useT(), text);
  return own === undefined ? <span lang="en">{text}</span> : <span>{own}</span>;
};
