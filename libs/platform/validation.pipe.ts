import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { type ValidationError, type ValidatorOptions } from 'class-validator';
import { isSurelyValid } from './compiled-validation.js';
import { jsonPointer, Problem, type ProblemDetail } from './problem.js';

/** Replacements for messages of the validator that name a check instead of the error. */
const PLAIN: Readonly<Record<string, (field: string) => string>> = {
  whitelistValidation: (field) => `${field} is not a field of this request`,
  isDefined: (field) => `${field} is missing`,
  arrayNotEmpty: (field) => `${field} must hold at least one value`,
  arrayUnique: (field) => `${field} must name each value once`,
};

const detailsOf = (
  errors: readonly ValidationError[],
  path: readonly string[] = [],
): readonly ProblemDetail[] =>
  errors.flatMap((error) => {
    const here = [...path, error.property];
    const own = Object.entries(error.constraints ?? {}).map(([code, detail]) => ({
      code: code === 'whitelistValidation' ? 'unknown_field' : code,
      detail: PLAIN[code]?.(error.property) ?? detail,
      pointer: jsonPointer(here),
    }));
    return [...own, ...detailsOf(error.children ?? [], here)];
  });

const asParameter = ({ pointer = '', ...rest }: ProblemDetail): ProblemDetail => ({
  ...rest,
  parameter: decodeURIComponent(pointer.slice(2)),
});

/** Unknown fields are rejected with a 422, like any other invalid field. */
class ProblemValidationPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && (Array.isArray(value) || typeof value === 'string')) {
      throw new Problem(422, 'validation_failed', 'the body must be a JSON object', {
        errors: [{ detail: 'must be an object', code: 'isObject', pointer: '#' }],
      });
    }
    try {
      return (await super.transform(value, metadata)) as unknown;
    } catch (error) {
      if (!(error instanceof Problem) || metadata.type === 'body') throw error;
      const errors = (error.more.errors ?? []).map(asParameter);
      throw new Problem(error.status, error.code, error.message, { errors });
    }
  }

  protected override validate(
    object: object,
    options?: ValidatorOptions,
  ): Promise<ValidationError[]> | ValidationError[] {
    return isSurelyValid(object) ? [] : super.validate(object, options);
  }

  /**
   * Parsed JSON has no promises, so the library's search for them, repeated for each object, is
   * skipped.
   */
  protected override findNestedBinaryValues(): ValidationError[] {
    return [];
  }
}

export const createValidationPipe = (): ValidationPipe =>
  new ProblemValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) =>
      new Problem(422, 'validation_failed', 'some fields are invalid: errors lists each of them', {
        errors: detailsOf(errors),
      }),
  });
