import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { Problem } from '#platform';

export const PAGE = 20;
const MAX_PAGE = 100;

/** How long a page of a list is. */
export class PageLength {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE, default: PAGE })
  @IsOptional()
  @Type(() => Number)
  @Max(MAX_PAGE)
  @Min(1)
  @IsInt()
  limit?: number;
}

/** Which page of a list. */
export class PageFilter extends PageLength {
  @ApiPropertyOptional({ description: '`nextCursor` of the page before.' })
  @IsOptional()
  @Matches(/^[\w-]{1,200}$/, { message: '$property is not one that a page gave' })
  cursor?: string;
}

/** Where a page ends: the values that its list is ordered by, of its last row. */
export type Position = readonly [string, string];

const cursorOf = (position: Position): string =>
  Buffer.from(position.join(' ')).toString('base64url');

/** Whether a value of a position is one that a page may have ended with. */
type Check = (value: string) => boolean;

const isDateText = (text: string): boolean => {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text;
};

/** A day or an instant that the calendar has: the database takes no others. */
export const isInstant: Check = (text) => /^(?:19|20)\d\d-/.test(text) && isDateText(text);
export const isDay: Check = (text) => isInstant(`${text}T00:00:00.000Z`);
export const isWord: Check = (text) => /^[a-z]{1,20}$/.test(text);
/** One of our own ids. */
export const isId: Check = (text) => /^\w+$/.test(text);
const isName: Check = (text) => /^[\w-]{1,100}$/.test(text);

/** Two nulls for the first page. Throws `Problem` 422 for what no page gave. */
export const positionOf = (
  cursor: string | undefined, isFirst: Check, isSecond = isName,
): readonly [string | null, string | null] => {
  if (cursor === undefined) return [null, null];
  const [one = '', two = '', ...more] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (more.length > 0 || !isFirst(one) || !isSecond(two)) {
    throw new Problem(422, 'validation_failed', 'cursor is not one that a page gave', {
      errors: [{ detail: 'is not one that a page gave', parameter: 'cursor' }],
    });
  }
  return [one, two];
};

/** A page of the rows that were found, of which there is one more than fits where others follow. */
export const pageOf = <Row, Item>(
  rows: readonly Row[], limit: number, itemOf: (row: Row) => Item, endOf: (row: Row) => Position,
): { readonly items: readonly Item[]; readonly nextCursor: string | null } => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: page.map(itemOf), nextCursor: hasMore ? cursorOf(endOf(last)) : null };
};
