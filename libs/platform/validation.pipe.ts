import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { type ValidationError, type ValidatorOptions } from 'class-validator';
import { isSurelyValid } from './compiled-validation.js';
import { jsonPointer, Problem, type ProblemDetail } from './problem.js';

/**
 * Messages that replace the validation library's messages, which name the failed check instead of
 * saying what is wrong.
 */
const PLAIN: Readonly<Record<string, (field: string) => string>> = {
  whitelistValidation: (field) => `${field} is not a field of this request`,
  isDefined: (field) => `${field} is missing`,
  arrayNotEmpty: (field) => `${field} must contain at least one value`,
  arrayUnique: (field) => `${field} must contain each value only once`,
};

/** What is wrong with a field that fails the check `code`, for which the library says `message`. */
const detailOf = (code: string, message: string, { property, value }: ValidationError): string =>
  (value === undefined ? PLAIN['isDefined'] : PLAIN[code])?.(property) ?? message;

const detailsOf = (
  errors: readonly ValidationError[],
  path: readonly string[] = [],
): readonly ProblemDetail[] =>
  errors.flatMap((error) => {
    const here = [...path, error.property];
    const own = Object.entries(error.constraints ?? {}).map(([code, message]) => ({
      code: code === 'whitelistValidation' ? 'unknown_field' : code,
      detail: detailOf(code, message, error),
      pointer: jsonPointer(here),
    }));
    return [...own, ...detailsOf(error.children ?? [], here)];
  });

const asParameter = ({ pointer = '', ...rest }: ProblemDetail): ProblemDetail => ({
  ...rest,
  parameter: decodeURIComponent(pointer.slice(2)),
});

/** Rejects unknown fields with a 422, like invalid fields. */
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
   * The library searches each object for promises. Parsed JSON contains none, so the search is
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
      new Problem(
        422,
        'validation_failed',
        'some fields are invalid: correct each field that errors lists',
        {
          errors: detailsOf(errors),
        },
      ),
  });
