import type { RecordedEvent } from '#log';
import { assert } from '#kernel';

/** When an event happened, in business time. */
export const businessTimeOf = ({ data: { at }, recordedAt }: RecordedEvent): string =>
  typeof at === 'string' ? at : recordedAt;

/** A moment in both times: `at` in business time, `recordedAt` in wall time. */
export interface Moment {
  readonly at: string;
  readonly recordedAt: string;
}

/** By how many milliseconds business time was ahead at a moment of wall time. */
interface Offset {
  readonly wallMs: number;
  readonly aheadMs: number;
}

/**
 * Estimates the business time of entries that only have wall time: webhooks and user actions. It
 * uses the offset of the nearest moment with both times. In production both clocks are the same.
 */
export class BusinessTimes {
  private readonly offsets: readonly Offset[];

  constructor(moments: readonly Moment[]) {
    assert(moments.length > 0, 'a history has a first event');
    this.offsets = moments.map(({ at, recordedAt }) => {
      const wallMs = Date.parse(recordedAt);
      return { wallMs, aheadMs: Date.parse(at) - wallMs };
    });
  }

  at(wall: Date): string {
    const wallMs = wall.getTime();
    const distanceOf = (offset: Offset): number => Math.abs(offset.wallMs - wallMs);
    const next = this.offsets.reduce((best, one) =>
      distanceOf(one) < distanceOf(best) ? one : best,
    );
    return new Date(wallMs + next.aheadMs).toISOString();
  }
}
