import { ApiProblem } from '../api/client';
import { Refusal } from './refusal';

/** The text of an error in the viewer's language, else the server's English message. */
export const ProblemText = ({ error }: { readonly error: Error }) =>
  error instanceof ApiProblem ? (
    <Refusal code={error.code} detail={error.message} />
  ) : (
    <span lang="en">{error.message}</span>
  );
