import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';
import { Field } from '#platform';

/** Validates and documents the platform to which a new key or webhook endpoint belongs. */
export const PlatformId = (): PropertyDecorator =>
  applyDecorators(
    Field('1 to 64 letters, digits, _ or -.', { example: 'shop' }),
    Matches(/^[A-Za-z0-9_-]{1,64}$/, {
      message: '$property must be 1 to 64 letters, digits, _ or -',
    }),
  );
