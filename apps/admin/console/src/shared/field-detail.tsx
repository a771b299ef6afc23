import { useT } from '../i18n/i18n';

interface FieldDetailProps {
  readonly name: string;
  /** The server's message about the field, in English. */
  readonly detail: string;
}

/**
 * The message about an invalid field: about a search in the viewer's language, about any other
 * field the server's message.
 */
export const FieldDetail = ({ name, detail }: FieldDetailProps) => {
  const { searchRefusal } = useT().shell;
  const text = name === 'search' ? searchRefusal(detail) : null;
  return text === null ? <span lang="en">{detail}</span> : text;
};
