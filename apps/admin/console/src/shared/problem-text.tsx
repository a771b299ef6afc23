import { ApiProblem } from '../api/client';
import { useT } from '../i18n/i18n';

/** What went wrong, in the viewer's words; else in the server's, which are English. */
export const ProblemText = ({ error }: { readonly error: Error }) => {
  const words: Readonly<Record<string, string>> = useT().problems;
  const word = error instanceof ApiProblem ? words[error.code] : undefined;
  return word ?? <span lang="en">{error.message}</span>;
};
