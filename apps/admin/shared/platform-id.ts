import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';
import { Field, PLATFORM_ID, PLATFORM_ID_FORM } from '#platform';

/** Validates and documents the platform to which a new key or webhook endpoint belongs. */
export const PlatformId = (): PropertyDecorator =>
  applyDecorators(
    Field(`${PLATFORM_ID_FORM}.`, { example: 'shop' }),
    Matches(PLATFORM_ID, { message: `$property must be ${PLATFORM_ID_FORM}` }),
  );
