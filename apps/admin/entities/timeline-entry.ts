import { ApiProperty } from '@nestjs/swagger';

/** Where an entry of a timeline comes from. */
export const ENTRY_KINDS = [
  'event',
  'job',
  'call',
  'webhook',
  'saga',
  'deadline',
  'audit',
] as const;

/** One thing that happened to an entity, or is to happen. */
export class TimelineEntry {
  @ApiProperty({ description: 'Unique in the timeline.' })
  id!: string;

  @ApiProperty({
    enum: ENTRY_KINDS,
    enumName: 'TimelineEntryKind',
    description:
      '`event`: of the log. `job`: a call asked of the provider, with its state. `call`: one ' +
      'exchange with the provider. `webhook`: as received. `saga`: its state now. `deadline`: to ' +
      'come. `audit`: what a person did.',
  })
  kind!: (typeof ENTRY_KINDS)[number];

  @ApiProperty({ format: 'date-time', description: 'Business time, by which they are ordered.' })
  at!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Wall time of its recording; null for what is to come.',
  })
  recordedAt!: string | null;

  @ApiProperty({ description: 'The event type, kind of call, saga, deadline or action.' })
  name!: string;

  @ApiProperty()
  subjectType!: string;

  @ApiProperty()
  subjectId!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Of events: 1 for the first.' })
  version!: number | null;

  @ApiProperty({ type: String, nullable: true })
  actor!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The entry or request that it follows from: an event id, a request id, ….',
  })
  causationId!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: Readonly<Record<string, unknown>>;
}
