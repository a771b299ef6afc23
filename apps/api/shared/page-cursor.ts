import { Problem } from '#platform';

/** Where a page of a list ends, whose newest rows come first. */
export const cursorOf = (at: Date, id: string): string =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');

/** Reads `cursorOf`; nulls for the first page. Throws `Problem` 422 when no page gave it. */
export const positionOf = (
  cursor: string | undefined,
): readonly [at: string | null, id: string | null] => {
  if (cursor === undefined) return [null, null];
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  // The years that dates have here: the database takes no others in this form.
  const isDate = /^\d{4}-/.test(at) && !Number.isNaN(Date.parse(at));
  if (!isDate || !/^\w+$/.test(id)) {
    throw new Problem(422, 'validation_failed', 'cursor is not one that a page gave', {
      errors: [{ detail: 'is not one that a page gave', parameter: 'cursor' }],
    });
  }
  return [new Date(at).toISOString(), id];
};
