import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Min } from 'class-validator';

/** The maximum number of events from which a state is computed. */
const MAX_VERSION = 10_000;

/** The query of a state: now, or after an earlier event. */
export class VersionDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'The number of events after which the state is returned; default: all events.',
  })
  @IsOptional()
  @Type(() => Number)
  @Min(1)
  @IsInt()
  version?: number;
}

/** The number of events of the stream to read for a version; undefined reads the current state. */
export const eventsUntil = (version: number | undefined): number =>
  Math.min(version ?? MAX_VERSION, MAX_VERSION);
