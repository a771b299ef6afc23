/**
 * The maximum number of simultaneous jobs of a lane in one worker (`width`), and of one account
 * among them (`share`).
 */
interface Lane {
  readonly width: number;
  readonly share: number;
}

/**
 * The lanes of jobs. An account gets only a share of a lane, so that other accounts have slots even
 * if this account's requests are slow. `calls`: requests that move money; after a database restore
 * they wait until the account's payments were read from the provider. `timers`: jobs without
 * requests to the provider. `hints`: reads that webhooks request. `restores`: reads after a
 * database restore, which precede all other requests of the account. `reads`: polls, within the
 * request budget of the API key. `lists`: the provider's lists for an account, page by page.
 * `webhooks`: webhooks to platforms, where the endpoint counts as the account; the lane depends on
 * the clock, because each signature contains the time.
 */
export const LANES = {
  calls: { width: 36, share: 24 },
  timers: { width: 16, share: 16 },
  hints: { width: 24, share: 16 },
  restores: { width: 12, share: 8 },
  reads: { width: 24, share: 16 },
  lists: { width: 6, share: 4 },
  webhooks: { width: 32, share: 4 },
} as const satisfies Record<string, Lane>;

export type LaneName = keyof typeof LANES;

/**
 * Whether jobs of the lane become due by business time. A process with a wrong clock leaves the
 * jobs of these lanes to other processes.
 */
const TIMED: Readonly<Record<LaneName, boolean>> = {
  calls: false,
  hints: false,
  restores: false,
  timers: true,
  reads: true,
  lists: true,
  webhooks: true,
};

export const isTimed = (lane: LaneName): boolean => TIMED[lane];

export const LANE_NAMES = Object.keys(LANES) as LaneName[];

/**
 * The minimum and maximum pause of an account, in wall time: not too short, because after each
 * pause a job must be claimed to check whether the account's jobs can run again, and not too long,
 * because the reason for the pause may end earlier.
 */
const HELD_MS = { least: 250, most: 1_000 };

interface Place {
  readonly lane: LaneName;
  readonly accountId: string | null;
}

/** The slots of a worker that are in use, in the form that `claim` needs. */
export interface LaneLoad {
  readonly lane: LaneName;
  readonly accountId: string;
  readonly running: number;
}

/** The jobs in progress of a worker, by lane and account. */
export class Lanes {
  private readonly running = new Map<string, Place & { running: number }>();
  private readonly held = new Map<string, Place & { readonly untilMs: number }>();

  /**
   * `onRoom` is called when a full lane has a free slot again, because jobs may have been skipped
   * while it was full.
   */
  constructor(
    private readonly onRoom: () => void = () => undefined,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** The free slots of each lane. */
  rooms(): readonly { readonly lane: LaneName; readonly room: number }[] {
    return LANE_NAMES.map((lane) => ({ lane, room: LANES[lane].width - this.inLane(lane) }));
  }

  get isInUse(): boolean {
    return this.running.size > 0;
  }

  /** Whether one more job of the account may run in the lane now. */
  hasRoom({ lane, accountId }: Place): boolean {
    const { width, share } = LANES[lane];
    if (this.inLane(lane) >= width) return false;
    const own = this.load().find((one) => one.lane === lane && one.accountId === (accountId ?? ''));
    return own === undefined || own.running < share;
  }

  /** Whether the lane, or any account in the lane, has no free slot. */
  isFull(lane: LaneName): boolean {
    const { width, share } = LANES[lane];
    return (
      this.inLane(lane) >= width ||
      this.load().some((place) => place.lane === lane && place.running >= share)
    );
  }

  /** The slots in use. All slots of a paused account count as in use. */
  load(): readonly LaneLoad[] {
    for (const [key, { untilMs }] of this.held) {
      if (this.nowMs() >= untilMs) this.held.delete(key);
    }
    const held = [...this.held.values()].map((place) => ({
      ...place,
      running: LANES[place.lane].share,
    }));
    const running = [...this.running].flatMap(([key, place]) =>
      this.held.has(key) ? [] : [place],
    );
    return [...held, ...running].map(({ lane, accountId, running: count }) => ({
      lane,
      accountId: accountId ?? '',
      running: count,
    }));
  }

  /** Skips the jobs of an account in this lane for a while. */
  hold(place: Place, waitMs: number): void {
    const heldMs = Math.min(Math.max(waitMs, HELD_MS.least), HELD_MS.most);
    this.held.set(keyOf(place), { ...place, untilMs: this.nowMs() + heldMs });
  }

  begin(place: Place): void {
    const key = keyOf(place);
    const running = (this.running.get(key)?.running ?? 0) + 1;
    this.running.set(key, { lane: place.lane, accountId: place.accountId, running });
  }

  end(place: Place): void {
    const key = keyOf(place);
    const before = this.running.get(key)?.running ?? 1;
    const { width, share } = LANES[place.lane];
    const wasFull = before === share || this.inLane(place.lane) === width;
    if (before > 1) this.running.set(key, { ...place, running: before - 1 });
    else this.running.delete(key);
    if (wasFull) this.onRoom();
  }

  private inLane(lane: LaneName): number {
    let sum = 0;
    for (const place of this.running.values()) if (place.lane === lane) sum += place.running;
    return sum;
  }
}

const keyOf = ({ lane, accountId }: Place): string => `${lane} ${accountId ?? ''}`;
