import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

const PAGE = 50;
const MAX_PAGE = 200;

/** Which page of a list. */
export class PageDto {
  @ApiPropertyOptional({ description: '`nextCursor` of the page before.' })
  @IsOptional()
  @Matches(/^[\w-]{1,400}$/, { message: '$property is not one that a page gave' })
  cursor?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE, default: PAGE })
  @IsOptional()
  @Type(() => Number)
  @Max(MAX_PAGE)
  @Min(1)
  @IsInt()
  limit?: number;
}

export const limitOf = ({ limit }: PageDto): number => limit ?? PAGE;
