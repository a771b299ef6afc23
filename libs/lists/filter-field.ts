import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { MAX_AMOUNT_MINOR } from '#kernel';
import type { Filter } from './list.js';

const ID = Matches(/^[\w.:-]{1,100}$/, {
  message: '$property must be 1 to 100 letters, digits, dots, colons, _ or -',
});
const REFERENCE = Matches(/^[!-~]{1,64}$/, {
  message: '$property must be 1 to 64 visible ASCII characters',
});
const DAY = Matches(/^(?:19|2\d)\d\d-\d\d-\d\d$/, {
  message: '$property must be a day such as 2026-03-01',
});
const AN_INSTANT = { message: '$property must be an instant such as 2026-03-01T10:00:00Z' };
/**
 * Checks an instant that exists in the calendar, as PostgreSQL refuses any other. A time zone is
 * required: otherwise the database's zone would apply.
 */
export const INSTANT = applyDecorators(
  Matches(
    /^(?:19|2\d)\d\d-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/,
    AN_INSTANT,
  ),
  IsISO8601({ strict: true }, AN_INSTANT),
);

const asFlag = Transform(({ value }: { value: unknown }) =>
  value === 'true' ? true : value === 'false' ? false : value,
);

/** Converts the value of a query parameter that occurs only once to an array. */
export const AS_ARRAY = Transform(({ value }: { value: unknown }) =>
  value === undefined || Array.isArray(value) ? value : [value],
);

type WithoutSql<One> = One extends { readonly is: 'case' }
  ? One
  : One extends unknown
    ? Omit<One, 'where'>
    : never;

/** The documentation and validation of a filter's query parameter. */
export const filterField = (filter: WithoutSql<Filter>): readonly PropertyDecorator[] => {
  const about = filter.means === undefined ? {} : { description: filter.means };
  const given = (schema: object, ...checks: readonly PropertyDecorator[]) => [
    ApiPropertyOptional({ ...schema, ...about }),
    IsOptional(),
    ...checks,
  ];
  switch (filter.is) {
    case 'id':
      return given({ type: String }, ID);
    case 'reference':
      return given({ type: String }, REFERENCE);
    case 'instant':
      return given({ type: String, format: 'date-time' }, INSTANT);
    case 'day':
      // The parameter is a calendar day, independent of time zones.
      return given({ type: String, format: 'date' }, DAY, IsISO8601({ strict: true }));
    case 'amount':
      return given(
        { type: 'integer', minimum: 0, maximum: MAX_AMOUNT_MINOR },
        Type(() => Number),
        Max(MAX_AMOUNT_MINOR),
        Min(0),
        IsInt(),
      );
    case 'one':
    case 'group':
      return given({ enum: filter.of }, IsIn(filter.of));
    case 'several':
      return given(
        { enum: filter.of, isArray: true },
        AS_ARRAY,
        IsIn(filter.of, { each: true }),
        ArrayMaxSize(filter.of.length),
      );
    case 'case':
      return given({ enum: Object.keys(filter.where) }, IsIn(Object.keys(filter.where)));
    case 'flag':
      return given({ type: Boolean }, asFlag, IsBoolean());
  }
};
