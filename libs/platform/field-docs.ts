import { type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** Documentation of a field in addition to its description and its type, e.g. an example. */
type More = Omit<ApiPropertyOptions, 'description'>;

type FieldDocs = (description?: string, more?: More) => PropertyDecorator;

const field = (schema: object, description?: string, more: More = {}): PropertyDecorator =>
  ApiProperty({
    ...schema,
    ...more,
    ...(description !== undefined && { description }),
  } as ApiPropertyOptions);

/*
 * Decorators that document the fields of responses in the API references, one for each type of
 * field. A field without a description gets the description that the texts of the OpenAPI document
 * contain for the field's name.
 */

/** Documents a field with the type that the class declares. */
export const Field: FieldDocs = (...docs) => field({}, ...docs);

export const Integer: FieldDocs = (...docs) => field({ type: 'integer' }, ...docs);

export const DateTime: FieldDocs = (...docs) => field({ format: 'date-time' }, ...docs);

/** Any JSON object. */
export const AnyObject: FieldDocs = (...docs) =>
  field({ type: 'object', additionalProperties: true }, ...docs);

export const Nullable = (type: Type | 'integer', ...docs: Parameters<FieldDocs>) =>
  field({ type, nullable: true }, ...docs);

export const NullableDateTime: FieldDocs = (...docs) =>
  field({ type: String, format: 'date-time', nullable: true }, ...docs);

export const ListOf = (type: Type, ...docs: Parameters<FieldDocs>) =>
  field({ type, isArray: true }, ...docs);

/**
 * Documents a field with a fixed list of values. `name` is the name of the schema that fields with
 * the same values share.
 */
export const OneOf = (values: readonly string[], description?: string, name?: string) =>
  field({ enum: values, ...(name !== undefined && { enumName: name }) }, description);
