import { noteText } from '../i18n/note-text';
import { useT } from '../i18n/i18n';

/** A service's note about a result; a note without a text in the viewer's language is English. */
export const Note = ({ text }: { readonly text: string }) => {
  const own = noteText(useT(), text);
  return own === undefined ? <span lang="en">{text}</span> : <span>{own}</span>;
};
