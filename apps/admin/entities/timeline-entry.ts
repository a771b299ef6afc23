import { ApiProperty } from '@nestjs/swagger';

/** The source of a timeline entry. */
export const ENTRY_KINDS = [
  'event',
  'job',
  'call',
  'webhook',
  'saga',
  'deadline',
  'audit',
] as const;

/** An entry of a timeline: past, or scheduled. */
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
    description: 'When it was recorded, wall time; null: scheduled.',
  })
  recordedAt!: string | null;

  @ApiProperty({ description: 'The event type, request, workflow, deadline or action.' })
  name!: string;

  @ApiProperty({ description: 'The type of the subject.' })
  subjectType!: string;

  @ApiProperty({ description: 'The id of the subject.' })
  subjectId!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of events: 1 for the first; else null.',
  })
  version!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The actor, e.g. `user:<id>`; null: none is recorded.',
  })
  actor!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id of the event or request that caused it.',
  })
  causationId!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The recorded data.' })
  data!: Readonly<Record<string, unknown>>;
}
