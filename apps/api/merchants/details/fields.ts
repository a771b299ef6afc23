import { applyDecorators, type Type as ClassOf } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDefined,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  registerDecorator,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import { HasLength } from '../../shared/validators.js';

/**
 * Whether a field may be missing. `clearable`: may be omitted, and null clears it. `optional`: may
 * be omitted, but not cleared.
 */
type Need = 'required' | 'optional' | 'clearable';

/** The maximum number of owners of a company, and of its representatives. */
const MAX_OWNERS_OR_REPRESENTATIVES = 50;

const needed = (need: Need): PropertyDecorator => {
  if (need === 'clearable') return IsOptional();
  return need === 'required'
    ? IsDefined()
    : ValidateIf((_object: object, value: unknown) => value !== undefined);
};

/**
 * The class of a change of the object: no field is required, and null clears only clearable fields.
 */
export const changeOf = <T>(of: ClassOf<T>): ClassOf<Partial<T>> =>
  PartialType(of, { skipNullProperties: false });

/**
 * Declares a required or optional field in the API reference, together with the checks of the
 * field.
 */
const field = (
  need: Need,
  property: ApiPropertyOptions,
  ...checks: readonly PropertyDecorator[]
): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      ...property,
      required: need === 'required',
      ...(need === 'clearable' ? { nullable: true } : {}),
    } as ApiPropertyOptions),
    ...checks,
    needed(need),
  );

const holds =
  (name: string, says: string, validate: (text: string) => boolean): PropertyDecorator =>
  (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options: { message: `$property ${says}` },
      validator: { validate: (value: unknown) => typeof value === 'string' && validate(value) },
    });

export const Text = (need: Need, maxLength: number, more: ApiPropertyOptions = {}) =>
  field(
    need,
    { type: String, minLength: 1, maxLength, ...more },
    Matches(/\S/, { message: '$property must not be blank' }),
    HasLength(1, maxLength),
    IsString(),
  );

const CODE = /^[\w.-]{1,64}$/;

/**
 * Declares a field with a code from one of the provider's lists; `checkDetails` checks whether the
 * list contains the code.
 */
export const Code = (need: Need, list: string, example: string, more = '') =>
  field(
    need,
    { type: String, example, description: `From the list of ${list}. ${more}`.trim() },
    Matches(CODE, { message: '$property does not have the form of a code' }),
    IsString(),
  );

/** The maximum number of product codes. */
const MAX_CODES = 20;

export const CodeList = (need: Need, list: string, example: readonly string[]) =>
  field(
    need,
    {
      type: String,
      isArray: true,
      maxItems: MAX_CODES,
      example: [...example],
      description: `From the list of ${list}.`,
    },
    Matches(CODE, { each: true, message: 'each value of $property must have the form of a code' }),
    ArrayMaxSize(MAX_CODES),
    IsArray(),
  );

const COUNTRY = { example: 'FR', description: 'ISO 3166 alpha-2.' };

export const Country = (need: Need) =>
  field(
    need,
    { type: String, pattern: '^[A-Z]{2}$', ...COUNTRY },
    Matches(/^[A-Z]{2}$/, { message: '$property must be an alpha-2 code, such as FR' }),
  );

const isDay = (text: string): boolean =>
  /^(?:19|20)\d\d-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);

/**
 * Declares a day from 1900 on, as `YYYY-MM-DD`. Days in the future are refused by
 * `details-rules.ts`.
 */
export const Day = (need: Need, example: string) =>
  field(
    need,
    { type: String, format: 'date', example },
    holds('isDay', 'must be a day from 1900 on, such as 2019-03-04', isDay),
  );

const isPhone = (text: string): boolean =>
  /^\+[\d ]{6,24}$/.test(text) && parsePhoneNumberFromString(text, metadata)?.isPossible() === true;

export const Phone = (need: Need) =>
  field(
    need,
    { type: String, example: '+33612345678' },
    holds('isPhone', 'must be a phone number in international form, such as +33612345678', isPhone),
  );

const isIban = (text: string): boolean => isValidIBAN(electronicFormatIBAN(text) ?? '');

export const Iban = (need: Need) =>
  field(
    need,
    { type: String, example: 'FR7630006000011234567890189' },
    holds('isIban', 'must be an IBAN with the right checksum and length', isIban),
  );

const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@"(),:;<>[\\\]]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);

export const Email = (need: Need) =>
  field(
    need,
    { type: String, format: 'email', maxLength: 254 },
    holds('isEmail', 'must be an email address', isEmail),
  );

const isWebAddress = (text: string): boolean =>
  text.length <= 2_000 && /^https?:\/\/[^\s/.]+\.\S+$/i.test(text) && URL.canParse(text);

export const WebAddress = (need: Need) =>
  field(
    need,
    { type: String, format: 'uri', example: 'https://atelier.example' },
    holds('isWebAddress', 'must be a web address with http or https', isWebAddress),
  );

export const Percent = (need: Need) =>
  field(
    need,
    {
      type: Number,
      minimum: 0,
      maximum: 100,
      description: 'A percentage from 0 (none) to 100 (all).',
    },
    Max(100),
    Min(0),
    IsNumber(),
  );

export const Flag = (need: Need, description: string) =>
  field(need, { type: Boolean, description }, IsBoolean());

type Class = new () => object;

/**
 * Declares a nested object. `typeOf` is a function because some classes refer to each other.
 * Swagger requires that the function is named `type` and the class has a name.
 */
export const Nested = (need: Need, typeOf: () => Class) =>
  field(need, { type: () => typeOf() }, ValidateNested(), IsObject(), Type(typeOf));

export const NestedList = (need: Need, typeOf: () => Class, isFilled = false) =>
  field(
    need,
    {
      type: () => [typeOf()],
      maxItems: MAX_OWNERS_OR_REPRESENTATIVES,
      ...(isFilled ? { minItems: 1 } : {}),
    },
    ValidateNested({ each: true }),
    ...(isFilled ? [ArrayNotEmpty()] : []),
    ArrayMaxSize(MAX_OWNERS_OR_REPRESENTATIVES),
    IsArray(),
    Type(typeOf),
  );
