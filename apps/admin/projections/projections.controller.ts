import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';

class RebuildAnswer {
  @ApiProperty({ description: 'The id of the rebuild.' })
  id!: string;

  @ApiProperty({ description: 'The rebuilt projection.' })
  projection!: string;

  @ApiProperty({ format: 'date-time', description: 'When it was requested, wall time.' })
  requestedAt!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When a worker started it, wall time; null: queued.',
  })
  startedAt!: string | null;

  @ApiProperty({ type: 'integer', description: 'Events processed so far.' })
  events!: number;

  @ApiProperty({ type: 'integer', description: 'Approximate number of events in the log.' })
  ofEvents!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it ended, wall time; null: not yet.',
  })
  endedAt!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it failed; null: it did not.' })
  failure!: string | null;
}

class ProjectionList {
  @ApiProperty({ type: String, isArray: true, description: 'The projections that can be rebuilt.' })
  names!: readonly string[];

  @ApiProperty({
    type: RebuildAnswer,
    isArray: true,
    description: 'The last 50 rebuilds, newest first.',
  })
  rebuilds!: readonly RebuildAnswer[];
}

const NAMES = `
  SELECT substr(name, 12) AS name FROM log_cursors
   WHERE name LIKE 'projection:%' AND name NOT LIKE '%\\_rebuild' ORDER BY name`;

/** The planner's estimate is sufficient for a progress bar. */
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
  @ApiOperation({ summary: 'Projections and their rebuilds' })
  @Answers({
    status: 200,
    type: ProjectionList,
    description: 'The projections and their rebuilds.',
  })
  async getProjections(): Promise<ProjectionList> {
    const [names, rebuilds] = await Promise.all([
      this.pool.query<{ name: string }>(NAMES),
      this.pool.query<RebuildAnswer>(REBUILDS),
    ]);
    return { names: names.rows.map(({ name }) => name), rebuilds: rebuilds.rows };
  }
}
