import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { Problem } from '#platform';

export const PAGE = 20;
const MAX_PAGE = 100;

/** Which page of a list. */
export class PageFilter {
  @ApiPropertyOptional({ description: '`nextCursor` of the page before.' })
  @IsOptional()
  @Matches(/^[\w-]{1,300}$/, { message: '$property is not one that a page gave' })
  cursor?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE, default: PAGE })
  @IsOptional()
  @Type(() => Number)
  @Max(MAX_PAGE)
  @Min(1)
  @IsInt()
  limit?: number;
}

/** Where a page ends: the values that its list is ordered by, of its last row. */
export type Position = readonly [string, string];

const cursorOf = (position: Position): string =>
  Buffer.from(position.join(' ')).toString('base64url');

/** Two nulls for the first page. `first`: what the first value looks like. */
export const positionOf = (
  cursor: string | undefined, first: RegExp,
): readonly [string | null, string | null] => {
  if (cursor === undefined) return [null, null];
  const [one = '', two = '', ...more] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (more.length > 0 || !first.test(one) || !/^[\w-]{1,100}$/.test(two)) {
    throw new Problem(422, 'validation_failed', 'cursor is not one that a page gave', {
      errors: [{ detail: 'is not one that a page gave', parameter: 'cursor' }],
    });
  }
  return [one, two];
};

/** What two positions look like that are made of a day, of an instant, and of a word. */
export const A_DAY = /^(?:19|20)\d\d-[01]\d-[0-3]\d$/;
export const AN_INSTANT = /^(?:19|20)\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/;
export const A_WORD = /^[a-z]{1,20}$/;

/** A page of the rows that were found, of which there is one more than fits where others follow. */
export const pageOf = <Row, Item>(
  rows: readonly Row[], limit: number, itemOf: (row: Row) => Item, endOf: (row: Row) => Position,
): { readonly items: readonly Item[]; readonly nextCursor: string | null } => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: page.map(itemOf), nextCursor: hasMore ? cursorOf(endOf(last)) : null };
};
