import { AnyObject, DateTime, Field, Nullable, NullableDateTime, OneOf } from '#platform';

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
  @Field('Unique in the timeline.')
  id!: string;

  @OneOf(
    ENTRY_KINDS,
    '`event`: of the log. `job`: a call asked of the provider, with its state. `call`: one ' +
      'exchange with the provider. `webhook`: as received. `saga`: its state now. `deadline`: to ' +
      'come. `audit`: what a person did.',
    'TimelineEntryKind',
  )
  kind!: (typeof ENTRY_KINDS)[number];

  @DateTime('Business time, by which they are ordered.')
  at!: string;

  @NullableDateTime('When it was recorded, wall time; null: scheduled.')
  recordedAt!: string | null;

  @Field('The event type, request, workflow, deadline or action.')
  name!: string;

  @Field('The type of the subject.')
  subjectType!: string;

  @Field('The id of the subject.')
  subjectId!: string;

  @Nullable('integer', 'Of events: 1 for the first; else null.')
  version!: number | null;

  @Nullable(String, 'The actor, e.g. `user:<id>`; null: none is recorded.')
  actor!: string | null;

  @Nullable(String, 'The id of the event or request that caused it.')
  causationId!: string | null;

  @AnyObject('The recorded data.')
  data!: Readonly<Record<string, unknown>>;
}
