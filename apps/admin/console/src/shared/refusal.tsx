import { useT } from '../i18n/i18n';

/** Error codes whose server message contains details that the translated text cannot contain. */
const WITH_SERVER_DETAIL = ['bug', 'provider_rejected', 'provider_refused'];

interface RefusalProps {
  readonly code: string;
  /** The server's message, in English. */
  readonly detail: string;
}

/** The reason of a rejection in the viewer's language, else the server's message. */
export const Refusal = ({ code, detail }: RefusalProps) => {
  const words: Readonly<Record<string, string>> = useT().problems;
  const word = words[code];
  if (word !== undefined && !WITH_SERVER_DETAIL.includes(code)) return word;
  return (
    <>
      {word} <span lang="en">{detail}</span>
    </>
  );
};
