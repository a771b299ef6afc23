import 'reflect-metadata';
import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  Length,
  Matches,
  Max,
  Min,
  registerDecorator,
  ValidateIf,
  ValidateNested,
  validateSync,
  type ValidationArguments,
} from 'class-validator';
import fc from 'fast-check';
import { isSurelyValid } from './compiled-validation.js';

/**
 * A decorator whose check calls `answer` with the field's value and the object that contains the
 * field.
 */
const Asks =
  (answer: (value: unknown, about?: ValidationArguments) => boolean | Promise<boolean>) =>
  (target: object, propertyName: string): void =>
    registerDecorator({
      target: target.constructor,
      propertyName,
      validator: { validate: answer },
    });

class Line {
  @IsInt()
  amount!: number;
}

class Named {
  @Matches(/^[a-z]{1,3}$/)
  name!: string;
}

class Request extends Named {
  @Max(5)
  @Min(1)
  @IsInt()
  count!: number;

  @IsOptional()
  @IsIn(['a', 'b'], { each: true })
  @ArrayNotEmpty()
  @IsArray()
  choices?: string[];

  @IsDefined()
  @ValidateNested()
  @IsObject()
  @Type(() => Line)
  first!: Line;

  @ValidateNested()
  @Type(() => Line)
  lines?: Line[];

  @ValidateIf((request: Request) => request.count === 2)
  @Length(2, 3)
  note?: string;

  @IsOptional()
  @Asks((value, about) => value === (about?.object as Request | undefined)?.name)
  repeated?: string;
}

const ODD = [
  undefined,
  null,
  '',
  'a',
  'abc',
  'abcd',
  0,
  1,
  2,
  5,
  6,
  1.5,
  true,
  [],
  ['a'],
  ['c'],
  {},
  { amount: 1 },
  { amount: 'x' },
  { amount: 1, more: 1 },
  [{ amount: 1 }],
  [{ amount: 'x' }],
  [null],
  [undefined],
  [[{ amount: 1 }]],
] as const;

const FIELDS = [
  'name',
  'count',
  'choices',
  'first',
  'lines',
  'note',
  'repeated',
  'unknown',
] as const;

const VALID = { name: 'abc', count: 1, first: { amount: 1 } };

const change = fc.tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...ODD));

test('the fast check accepts exactly the input that the validation library accepts', () => {
  const seen = { valid: 0, wrong: 0 };
  fc.assert(
    fc.property(fc.array(change, { maxLength: 2 }), (changes) => {
      const request = plainToInstance(Request, { ...VALID, ...Object.fromEntries(changes) });
      const errors = validateSync(request, { whitelist: true, forbidNonWhitelisted: true });
      seen[errors.length === 0 ? 'valid' : 'wrong'] += 1;
      return isSurelyValid(request) === (errors.length === 0);
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(seen.valid, seen.wrong)).toBeGreaterThan(100);
});

test('the fast check leaves a class with an asynchronous decorator to the validation library', () => {
  class Waiting {
    @Asks(() => Promise.resolve(true))
    name = 'a';
  }
  expect(isSurelyValid(new Waiting())).toBe(false);
});

test('the fast check leaves a class without decorators to the validation library', () => {
  expect(isSurelyValid(new (class Plain {})())).toBe(false);
});
