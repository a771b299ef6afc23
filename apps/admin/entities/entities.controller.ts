import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Min } from 'class-validator';
import { EventStore } from '#log';
import { assert } from '#kernel';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { businessTimeOf } from './business-times.js';
import { ENTITY_TYPES, entityRef, stateAfter } from './entity-types.js';
import { Timeline } from './timeline.js';
import { TimelineEntry } from './timeline-entry.js';

/** Longer histories are folded to their first events only when a version is asked for. */
const MAX_VERSION = 10_000;

class VersionDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'After so many events; default: all.',
  })
  @IsOptional()
  @Type(() => Number)
  @Min(1)
  @IsInt()
  version?: number;
}

/** An entity as its history tells it. */
class EntityAnswer {
  @ApiProperty({ enum: ENTITY_TYPES, enumName: 'EntityType' })
  type!: string;

  @ApiProperty()
  id!: string;

  @ApiProperty({ type: 'integer', description: 'So many events led to this state.' })
  version!: number;

  @ApiProperty({ format: 'date-time', description: 'Business time of the last of them.' })
  at!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'As the aggregate itself has it.',
  })
  state!: unknown;
}

class TimelineAnswer {
  @ApiProperty({ type: TimelineEntry, isArray: true, description: 'Oldest first.' })
  items!: readonly TimelineEntry[];
}

@ApiTags('Entities')
@Controller('v1/entities/:type/:id')
@ApiParam({ name: 'type', enum: ENTITY_TYPES, enumName: 'EntityType' })
export class EntitiesController {
  constructor(
    private readonly store: EventStore,
    private readonly timelines: Timeline,
  ) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'An entity, now or as it was after some of its events',
    operationId: 'getEntity',
  })
  @Answers({ status: 200, type: EntityAnswer, description: 'Its state.' }, 404, 422)
  async get(
    @Param('type') type: string,
    @Param('id') id: string,
    @Query() { version }: VersionDto,
  ): Promise<EntityAnswer> {
    const ref = entityRef(type, id);
    const events = await this.store.readStream(
      ref,
      0,
      Math.min(version ?? MAX_VERSION, MAX_VERSION),
    );
    const state = stateAfter(ref, events);
    const last = events.at(-1);
    assert(last !== undefined, 'an entity that has a state has an event');
    return { type, id, version: events.length, at: businessTimeOf(last), state };
  }

  @Get('timeline')
  @Allow('viewer')
  @ApiOperation({
    summary: 'All that is known of an entity and of what belongs to it',
    operationId: 'getTimeline',
  })
  @Answers({ status: 200, type: TimelineAnswer, description: 'The whole timeline.' }, 404)
  async timeline(@Param('type') type: string, @Param('id') id: string): Promise<TimelineAnswer> {
    return { items: await this.timelines.of(entityRef(type, id)) };
  }
}
