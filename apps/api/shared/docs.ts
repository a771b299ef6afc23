import { applyDecorators, HttpStatus, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiResponse } from '@nestjs/swagger';

class ProblemDetailDto {
  @ApiProperty()
  detail!: string;

  @ApiPropertyOptional()
  code?: string;

  @ApiPropertyOptional({ description: 'JSON pointer into the body.', example: '#/amountMinor' })
  pointer?: string;

  @ApiPropertyOptional({ description: 'The query parameter, path parameter or header.' })
  parameter?: string;
}

/** Every error (RFC 9457), as application/problem+json. */
export class ProblemDto {
  @ApiProperty({ example: 'urn:problem-type:order_not_found' })
  type!: string;

  @ApiProperty()
  title!: string;

  @ApiProperty({ type: 'integer' })
  status!: number;

  @ApiProperty({ description: 'What to do, for a person.' })
  detail!: string;

  @ApiProperty({ description: 'Stable, for a program.', example: 'order_not_found' })
  code!: string;

  @ApiPropertyOptional({ type: ProblemDetailDto, isArray: true })
  errors?: ProblemDetailDto[];

  @ApiProperty({ description: 'Name it when you ask for help.' })
  correlationId!: string;
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read, or has no Idempotency-Key.',
  401: 'No valid API key.',
  403: 'The key lacks the scope.',
  404: 'There is no such thing, for you.',
  409: 'The state of things does not allow it, or the same request is being carried out.',
  422: 'Some fields are not as they must be, or the Idempotency-Key was used otherwise.',
  429: 'Too many requests: wait as long as Retry-After says.',
  502: 'The payment provider refused our request.',
  503: 'A part is away for a moment: repeat the request, nothing is lost.',
};

/** Tells the API reference how a route answers, errors included. */
export const Answers = (
  status: HttpStatus,
  type: Type | undefined,
  ...errors: readonly number[]
): MethodDecorator =>
  applyDecorators(
    ApiResponse({ status, ...(type === undefined ? {} : { type }), description: 'Done.' }),
    ...[...new Set([401, 403, 429, 503, ...errors])].map((error) =>
      ApiResponse({
        status: error,
        description: MEANINGS[error] ?? '',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } },
        },
      }),
    ),
  );
