import { ApiProblem } from '../api/client';

/** The server's message about a field, if any. */
export const wrongField = (error: Error | null, name: string) => {
  const detail = error instanceof ApiProblem ? error.fields[name] : undefined;
  return detail === undefined ? undefined : <span lang="en">{detail}</span>;
};
