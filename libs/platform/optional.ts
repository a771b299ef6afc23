import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';

/** Null in a field of a body means the same as a missing field. */
export const NullIsMissing = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === null ? undefined : value));

/** An optional field of a body: null means the same as a missing field. */
export const Optional = (): PropertyDecorator => applyDecorators(IsOptional(), NullIsMissing());
