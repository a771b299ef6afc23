import { ApiProblem } from '../api/client';

/** What the server says of a field, to be shown beside it; undefined: nothing. */
export const wrongField = (error: Error | null, name: string) => {
  const detail = error instanceof ApiProblem ? error.fields[name] : undefined;
  return detail === undefined ? undefined : <span lang="en">{detail}</span>;
};
