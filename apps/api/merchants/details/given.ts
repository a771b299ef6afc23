import { jsonPointer } from '#platform';

/** What a request gave, as plain data: a validated object has its other fields as undefined. */
export const given = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Where a path of the details, e.g. `owners.0.person.lastName`, is below `root` of a request. */
export const pointerOf = (path: string, root: readonly string[] = ['details']): string =>
  jsonPointer([...root, ...path.split('.').filter((step) => step !== '')]);
