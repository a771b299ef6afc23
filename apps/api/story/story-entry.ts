import { ApiProperty } from '@nestjs/swagger';
import type { LogCursor, RecordedEvent } from '#log';

/** One event of an order or a merchant. */
export class TimelineEntry {
  @ApiProperty({
    format: 'uuid',
    description: 'The event’s id, the same here, in the stream and on the topics.',
  })
  id!: string;

  @ApiProperty({ example: 'PaymentAuthorized' })
  type!: string;

  @ApiProperty({ enum: ['order', 'payment', 'merchant'] })
  subjectType!: string;

  @ApiProperty()
  subjectId!: string;

  @ApiProperty({
    type: 'integer',
    description: 'The version in its stream: 1 for the first event, without gaps.',
  })
  version!: number;

  @ApiProperty({ format: 'date-time', description: 'Business time.' })
  at!: string;

  @ApiProperty({ description: 'The actor: `platform:<id>`, `provider`, `saga:<name>` or `clock`.' })
  actor!: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: Readonly<Record<string, unknown>>;
}

export class Timeline {
  @ApiProperty({ type: TimelineEntry, isArray: true })
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

/** A position in the log as a subscriber sends it back, e.g. `1-763-42`. */
export const cursorText = ({ epoch, transactionId, position }: LogCursor): string =>
  `${epoch}-${transactionId}-${position}`;

/** Parses `cursorText`; null when it is invalid. */
export const parseCursor = (text: string): LogCursor | null => {
  const [, epoch, transactionId, position] = /^(\d{1,9})-(\d{1,19})-(\d{1,18})$/.exec(text) ?? [];
  if (epoch === undefined || transactionId === undefined || position === undefined) return null;
  return { epoch: Number(epoch), transactionId, position };
};

/** Whether `a` is after `b` in the log. */
export const isAfter = (a: LogCursor, b: LogCursor): boolean => {
  if (a.epoch !== b.epoch) return a.epoch > b.epoch;
  if (a.transactionId !== b.transactionId) return BigInt(a.transactionId) > BigInt(b.transactionId);
  return BigInt(a.position) > BigInt(b.position);
};
