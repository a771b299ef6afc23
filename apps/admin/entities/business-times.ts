import type { RecordedEvent } from '#log';
import { assert } from '#kernel';

/** When an event happened, in business time. */
export const businessTimeOf = ({ data: { at }, recordedAt }: RecordedEvent): string =>
  typeof at === 'string' ? at : recordedAt;

/** A moment in business time (`at`) and in wall-clock time (`recordedAt`). */
export interface Moment {
  readonly at: string;
  readonly recordedAt: string;
}

/** How many milliseconds business time was ahead of the wall clock at a given moment. */
interface Offset {
  readonly wallMs: number;
  readonly aheadMs: number;
}

/**
 * Estimates the business time of webhooks and user actions, which are recorded only in wall-clock
 * time, from the clock offset at the nearest moment for which both times are recorded. In
 * production the offset is zero.
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
