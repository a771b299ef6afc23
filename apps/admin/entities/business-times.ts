import type { RecordedEvent } from '#event-store';
import { assert } from '#kernel';

/** When an event happened, in business time. */
export const businessTimeOf = ({ data: { at }, recordedAt }: RecordedEvent): string =>
  typeof at === 'string' ? at : recordedAt;

/** By so many milliseconds business time was ahead of wall time at a moment of wall time. */
interface Offset {
  readonly wallMs: number;
  readonly aheadMs: number;
}

/**
 * Tells the business time of what is recorded in wall time alone: calls, webhooks, what people do.
 * A history says of each of its events both times; what lies between two events is as far ahead as
 * the earlier one. In production the two clocks are one, and this changes nothing that is seen.
 */
export class BusinessTimes {
  private readonly offsets: readonly Offset[];

  constructor(events: readonly RecordedEvent[]) {
    assert(events.length > 0, 'a history has a first event');
    this.offsets = events
      .map((event) => {
        const wallMs = Date.parse(event.recordedAt);
        return { wallMs, aheadMs: Date.parse(businessTimeOf(event)) - wallMs };
      })
      .toSorted((a, b) => a.wallMs - b.wallMs);
  }

  at(wall: Date): string {
    const wallMs = wall.getTime();
    const last = this.offsets.findLast((offset) => offset.wallMs <= wallMs) ?? this.offsets[0];
    return new Date(wallMs + (last?.aheadMs ?? 0)).toISOString();
  }
}
