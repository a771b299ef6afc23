import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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

/** Every error (RFC 9457), as application/problem+json: what API references say of it. */
export class ProblemDto {
  @ApiProperty({ description: '`urn:problem-type:` and the code.' })
  type!: string;

  @ApiProperty()
  title!: string;

  @ApiProperty({ type: 'integer' })
  status!: number;

  @ApiProperty({ description: 'What to do, for a person.' })
  detail!: string;

  @ApiProperty({ description: 'Stable, for a program.' })
  code!: string;

  @ApiPropertyOptional({ type: ProblemDetailDto, isArray: true })
  errors?: ProblemDetailDto[];

  @ApiProperty({ description: 'Name it when you ask for help.' })
  correlationId!: string;
}
