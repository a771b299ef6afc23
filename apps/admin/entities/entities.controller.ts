import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { EventStore } from '#log';
import { assert } from '#kernel';
import { AnyObject, DateTime, Field, Integer, OneOf } from '#platform';
import { Allow } from '../access/allow.js';
import { Answers, listOf } from '../shared/docs.js';
import { businessTimeOf } from './business-times.js';
import { ENTITY_TYPES, entityRef, stateAfter } from './entity-types.js';
import { Timeline } from './timeline.js';
import { TimelineEntry } from './timeline-entry.js';
import { eventsUntil, VersionDto } from './version.js';

/** The state and timeline of an entity. */
class EntityAnswer {
  @OneOf(ENTITY_TYPES, 'The type of the entity.', 'EntityType')
  type!: string;

  @Field('The id of the entity.')
  id!: string;

  @Integer('The number of events from which the state was computed.')
  version!: number;

  @DateTime('Business time of the last of these events.')
  at!: string;

  @AnyObject('The state of the aggregate.')
  state!: unknown;
}

class TimelineAnswer extends listOf(TimelineEntry, 'Oldest first.') {}

@ApiTags('Entities')
@Controller('v1/entities/:type/:id')
@ApiParam({ name: 'type', enum: ENTITY_TYPES, enumName: 'EntityType' })
export class EntitiesController {
  constructor(
    private readonly store: EventStore,
    private readonly timelines: Timeline,
  ) {}

  @Get()
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'The state of an entity, now or after an earlier event' })
  @Answers({ type: EntityAnswer, description: 'The state.' }, 404, 422)
  async getEntity(
    @Param('type') type: string,
    @Param('id') id: string,
    @Query() { version }: VersionDto,
  ): Promise<EntityAnswer> {
    const ref = entityRef(type, id);
    const events = await this.store.readStream(ref, 0, eventsUntil(version));
    const state = stateAfter(ref, events);
    const last = events.at(-1);
    assert(last !== undefined, 'an entity that has a state has an event');
    return { type, id, version: events.length, at: businessTimeOf(last), state };
  }

  @Get('timeline')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'The timeline of an entity' })
  @Answers({ type: TimelineAnswer, description: 'The whole timeline.' }, 404)
  async getTimeline(@Param('type') type: string, @Param('id') id: string): Promise<TimelineAnswer> {
    return { items: await this.timelines.of(entityRef(type, id)) };
  }
}
