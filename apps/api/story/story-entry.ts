import { ApiProperty } from '@nestjs/swagger';
import type { RecordedEvent } from '#log';
import { AnyObject, DateTime, Field, Integer, ListOf, OneOf } from '#platform';

/** One event of an order or a merchant. */
export class TimelineEntry {
  @Field('The event’s id, the same in the timeline, in the event stream and on the Kafka topics.', {
    format: 'uuid',
  })
  id!: string;

  @ApiProperty({ example: 'PaymentAuthorized' })
  type!: string;

  @OneOf(['order', 'payment', 'merchant'])
  subjectType!: string;

  @Field()
  subjectId!: string;

  @Integer('The version of the event in its stream: 1 for the first event, without gaps.')
  version!: number;

  @DateTime('Business time.')
  at!: string;

  @Field('The actor: `platform:<id>`, `provider`, `saga:<name>` or `clock`.')
  actor!: string;

  @AnyObject()
  data!: Readonly<Record<string, unknown>>;
}

export class Timeline {
  @ListOf(TimelineEntry)
  items!: readonly TimelineEntry[];
}

export const storyEntry = (event: RecordedEvent): TimelineEntry => {
  const { at, ...data } = event.data;
  return {
    id: event.eventId,
    type: event.type,
    subjectType: event.streamType,
    subjectId: event.streamId,
    version: event.version,
    at: typeof at === 'string' ? at : event.recordedAt,
    actor: event.metadata.actor,
    data,
  };
};
