import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import { MAX_AMOUNT_MINOR } from '#kernel';

/** Declares an optional amount; a request without the field means the whole amount. */
export const PartAmount = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      description,
      type: 'integer',
      minimum: 1,
      maximum: MAX_AMOUNT_MINOR,
      example: 500,
    }),
    IsInt(),
    Min(1),
    Max(MAX_AMOUNT_MINOR),
    // Null is refused: it may be a client's NaN, which JSON writes as null, and which must not mean
    // the whole amount.
    ValidateIf((_, value) => value !== undefined),
  );
