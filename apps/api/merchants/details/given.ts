import { jsonPointer } from '#platform';

/**
 * Returns the sent fields as plain data, without the fields that a validated object contains as
 * undefined because they were omitted.
 */
export const given = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The JSON pointer of a path in the details, e.g. `owners.0.person.lastName`, below `root`. */
export const pointerOf = (path: string, root: readonly string[] = ['details']): string =>
  jsonPointer([...root, ...path.split('.').filter((step) => step !== '')]);
