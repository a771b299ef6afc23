import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { DateTime, Field, Integer, ListOf, Nullable, NullableDateTime } from '#platform';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';

class RebuildAnswer {
  @Field('The id of the rebuild.')
  id!: string;

  @Field('The rebuilt projection.')
  projection!: string;

  @DateTime('When the rebuild was requested, wall-clock time.')
  requestedAt!: string;

  @NullableDateTime('When a worker started the rebuild, wall-clock time; null: queued.')
  startedAt!: string | null;

  @Integer('Events processed so far.')
  events!: number;

  @Integer('Approximate number of events in the log.')
  ofEvents!: number;

  @NullableDateTime('When the rebuild ended, wall-clock time; null: not yet.')
  endedAt!: string | null;

  @Nullable(String, 'Why the rebuild failed; null: it did not fail.')
  failure!: string | null;
}

class ProjectionList {
  @ListOf(String, 'The projections that can be rebuilt.')
  names!: readonly string[];

  @ListOf(RebuildAnswer, 'The last 50 rebuilds, newest first.')
  rebuilds!: readonly RebuildAnswer[];
}

const NAMES = `
  SELECT substr(name, 12) AS name FROM log_cursors
   WHERE name LIKE 'projection:%' AND name NOT LIKE '%\\_rebuild' ORDER BY name`;

/**
 * Reads the rebuilds; the planner's estimate of the number of events is sufficient for a progress
 * bar.
 */
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
