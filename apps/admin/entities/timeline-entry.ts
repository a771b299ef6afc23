import { AnyObject, DateTime, Field, Nullable, NullableDateTime, OneOf } from '#platform';

/** The kinds of timeline entries, by their source. */
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
    'The source of the entry. `event`: the event log. `job`: a queued provider request, with its state. `call`: one ' +
      'request to the provider and its response. `webhook`: as received. `saga`: the state of a workflow. `deadline`: a ' +
      'scheduled deadline. `audit`: a user action.',
    'TimelineEntryKind',
  )
  kind!: (typeof ENTRY_KINDS)[number];

  @DateTime('The business time of the entry; the entries are in this order.')
  at!: string;

  @NullableDateTime('When the entry was recorded, wall-clock time; null: scheduled.')
  recordedAt!: string | null;

  @Field('The type of the event, request, deadline or action, or the name of the workflow.')
  name!: string;

  @Field('The type of the entity that the entry is about.')
  subjectType!: string;

  @Field('The id of the entity that the entry is about.')
  subjectId!: string;

  @Nullable('integer', 'The version of an event in its stream, 1 for the first; else null.')
  version!: number | null;

  @Nullable(String, 'The actor, e.g. `user:<id>`; null: no actor is recorded.')
  actor!: string | null;

  @Nullable(String, 'The id of the event or request that caused the entry.')
  causationId!: string | null;

  @Nullable(String, 'The id of the trace in which the event was recorded; null: none, or no event.')
  traceId!: string | null;

  @Nullable(String, 'The trace in the tracing UI; null if there is no trace or no TRACE_URL.')
  traceUrl!: string | null;

  @AnyObject('The recorded data.')
  data!: Readonly<Record<string, unknown>>;
}
