import { jsonPointer } from '#platform';

/**
 * The fields that were sent, as plain data: a validated object contains omitted fields as
 * undefined.
 */
export const given = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The JSON pointer of a path in the details, e.g. `owners.0.person.lastName`, below `root`. */
export const pointerOf = (path: string, root: readonly string[] = ['details']): string =>
  jsonPointer([...root, ...path.split('.').filter((step) => step !== '')]);
