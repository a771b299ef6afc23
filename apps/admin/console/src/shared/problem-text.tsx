import { ApiProblem } from '../api/client';
import { Refusal } from './refusal';

/** What went wrong, in the viewer's words; else in the server's, which are English. */
export const ProblemText = ({ error }: { readonly error: Error }) =>
  error instanceof ApiProblem ? (
    <Refusal code={error.code} detail={error.message} />
  ) : (
    <span lang="en">{error.message}</span>
  );
