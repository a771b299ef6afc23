import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';

class RebuildAnswer {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  projection!: string;

  @ApiProperty({ format: 'date-time' })
  requestedAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  startedAt!: string | null;

  @ApiProperty({ type: 'integer', description: 'Taken in so far.' })
  events!: number;

  @ApiProperty({ type: 'integer', description: 'In the log, about.' })
  ofEvents!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  endedAt!: string | null;

  @ApiProperty({ type: String, nullable: true })
  failure!: string | null;
}

class ProjectionList {
  @ApiProperty({ type: String, isArray: true, description: 'Those that can be rebuilt.' })
  names!: readonly string[];

  @ApiProperty({ type: RebuildAnswer, isArray: true, description: 'The last 50, newest first.' })
  rebuilds!: readonly RebuildAnswer[];
}

const NAMES = `
  SELECT substr(name, 12) AS name FROM log_cursors
   WHERE name LIKE 'projection:%' AND name NOT LIKE '%\\_rebuild' ORDER BY name`;

/** The planner's own count is near enough for a bar. */
const REBUILDS = `
  SELECT id::text, projection, requested_at AS "requestedAt", started_at AS "startedAt",
         events::float8 AS events,
         greatest(events, (SELECT reltuples FROM pg_class WHERE oid = 'events'::regclass))::float8
           AS "ofEvents",
         ended_at AS "endedAt", failure
    FROM projection_rebuilds r ORDER BY r.id DESC LIMIT 50`;

@ApiTags('Projections')
@Controller('v1/projections')
export class ProjectionsController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'The lists that follow from the log, and their rebuilds',
    operationId: 'getProjections',
  })
  @Answers({ status: 200, type: ProjectionList, description: 'All of them.' })
  async get(): Promise<ProjectionList> {
    const [names, rebuilds] = await Promise.all([
      this.pool.query<{ name: string }>(NAMES),
      this.pool.query<RebuildAnswer>(REBUILDS),
    ]);
    return { names: names.rows.map(({ name }) => name), rebuilds: rebuilds.rows };
  }
}
