import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsISO8601, IsOptional, Matches } from 'class-validator';

const ID = /^[\w.:-]{1,100}$/;
const NOT_AN_ID = { message: '$property must be 1 to 100 letters, digits, dots, colons, _ or -' };

/** A filter by an id or a word. */
export const IdFilter = (description?: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional(description === undefined ? {} : { description }),
    IsOptional(), Matches(ID, NOT_AN_ID),
  );

/** A filter by a reference of somebody else's. */
export const ReferenceFilter = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ description }), IsOptional(),
    Matches(/^[!-~]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' }),
  );

/** A filter by one of these. */
export const OneOf = (values: readonly string[]): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ enum: values as string[] }), IsOptional(), IsIn(values),
  );

/** A filter by an instant. */
export const InstantFilter = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ format: 'date-time', description }), IsOptional(),
    IsISO8601({ strict: true }),
  );

/** A filter by a day of somebody's calendar, as it is written there: no zone moves it. */
export const DayFilter = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ format: 'date', description }), IsOptional(),
    Matches(/^\d{4}-\d{2}-\d{2}$/, { message: '$property must be a day as YYYY-MM-DD' }),
    IsISO8601({ strict: true }),
  );

/** A filter by `true`; `false` asks for nothing. */
export const FlagFilter = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: Boolean, description }), IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' || value === true ? true : value === 'false' ? undefined : value),
    IsBoolean(),
  );
