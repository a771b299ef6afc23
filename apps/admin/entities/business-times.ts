import type { RecordedEvent } from '#log';
import { assert } from '#kernel';

/** When an event happened, in business time. */
export const businessTimeOf = ({ data: { at }, recordedAt }: RecordedEvent): string =>
  typeof at === 'string' ? at : recordedAt;

/** Of which both times are known: `at` in business time, `recordedAt` in wall time. */
export interface Moment {
  readonly at: string;
  readonly recordedAt: string;
}

/** By so many milliseconds business time was ahead of wall time at a moment of wall time. */
interface Offset {
  readonly wallMs: number;
  readonly aheadMs: number;
}

/**
 * Tells the business time of what is recorded in wall time alone: webhooks, what people do. It is
 * as far ahead as it was at the moment next to it of which both times are known. In production the
 * two clocks are one, and this changes nothing that is seen.
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
