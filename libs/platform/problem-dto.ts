import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ProblemDetailDto {
  @ApiProperty()
  detail!: string;

  @ApiPropertyOptional()
  code?: string;

  @ApiPropertyOptional({
    description: 'The JSON pointer to the invalid field in the body.',
    example: '#/amountMinor',
  })
  pointer?: string;

  @ApiPropertyOptional({ description: 'The invalid query parameter, path parameter or header.' })
  parameter?: string;
}

/** The format of every error (RFC 9457), application/problem+json, for API references. */
export class ProblemDto {
  @ApiProperty({ description: '`urn:problem-type:` followed by the code.' })
  type!: string;

  @ApiProperty()
  title!: string;

  @ApiProperty({ type: 'integer' })
  status!: number;

  @ApiProperty({ description: 'What is wrong and what to do, as text.' })
  detail!: string;

  @ApiProperty({ description: 'A stable code for programs.' })
  code!: string;

  @ApiPropertyOptional({ type: ProblemDetailDto, isArray: true })
  errors?: readonly Readonly<ProblemDetailDto>[];

  @ApiProperty({ description: 'The id of the request: quote it in support requests.' })
  correlationId!: string;
}
