import { useT } from '../i18n/i18n';

/** Their own words tell what no word for all of them could. */
const TELL_MORE = ['bug', 'provider_rejected', 'provider_refused'];

interface RefusalProps {
  readonly code: string;
  /** The server's words, which are English. */
  readonly detail: string;
}

/** Why something was not done, in the viewer's words; where there are none, in the server's. */
export const Refusal = ({ code, detail }: RefusalProps) => {
  const words: Readonly<Record<string, string>> = useT().problems;
  const word = words[code];
  if (word !== undefined && !TELL_MORE.includes(code)) return word;
  return (
    <>
      {word} <span lang="en">{detail}</span>
    </>
  );
};
