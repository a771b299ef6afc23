import type { Pool } from 'pg';
import { instantFromMs, type Instant } from '#kernel';
import { LeaseLost } from '#kafka';
import { type Day, firstWatermark, type MerchantMode, parseDay } from '#onboarding';

/**
 * The day up to which an environment's status history has been read, and the time of the next read.
 */
export interface HistoryPlan {
  /** The first day that has not been read since it ended, so its rows may be incomplete. */
  readonly watermark: Day;
  readonly nextRoundAt: Instant;
  /** The number of polling runs that failed in a row. */
  readonly failures: number;
}

const READ = `
  SELECT mode, watermark::text, next_round_at, failures FROM history_watermarks
   WHERE mode = ANY ($1)`;

/** A mode without a partner key is no longer polled, and its merchants keep their old statuses. */
const WATERMARKS = `
  SELECT mode, watermark::text FROM history_watermarks h
   WHERE mode = ANY ($1) OR EXISTS (SELECT FROM merchant_list m WHERE m.mode = h.mode)`;

const FENCE = `
  INSERT INTO history_watermarks AS h (mode, watermark, next_round_at, token)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (mode) DO UPDATE SET token = excluded.token, updated_at = clock_timestamp()
   WHERE h.token < excluded.token`;

/**
 * Moves the watermark from $3 to $4, unless an operator has moved the watermark since the polling
 * run began.
 */
const MOVE = `
  UPDATE history_watermarks
     SET watermark = CASE WHEN watermark = $3 THEN $4 ELSE watermark END,
         updated_at = clock_timestamp()
   WHERE mode = $1 AND token = $2
  RETURNING watermark::text`;

/**
 * Ends a polling run and sets the time of the next run, unless an operator has requested a run
 * meanwhile.
 */
const END = `
  UPDATE history_watermarks
     SET next_round_at = CASE WHEN next_round_at = $3 THEN $4 ELSE next_round_at END,
         failures = $5, updated_at = clock_timestamp()
   WHERE mode = $1 AND token = $2`;

/**
 * The table `history_watermarks`: every process reads it, only the newest lease holder writes it.
 */
export class HistoryWatermarks {
  constructor(private readonly pool: Pool) {}

  /** The polling plans of the modes that have been polled before. */
  async plans(modes: readonly MerchantMode[]): Promise<ReadonlyMap<MerchantMode, HistoryPlan>> {
    const { rows } = await this.pool.query<{
      mode: MerchantMode;
      watermark: string;
      next_round_at: Date;
      failures: number;
    }>({ name: 'history-plans', text: READ, values: [modes] });
    return new Map(
      rows.map(({ mode, watermark, next_round_at: next, failures }) => [
        mode,
        {
          watermark: parseDay(watermark),
          nextRoundAt: instantFromMs(next.getTime()),
          failures,
        },
      ]),
    );
  }

  /** The watermarks of these modes, and of each mode with merchants that has been polled before. */
  async watermarks(modes: readonly MerchantMode[]): Promise<ReadonlyMap<MerchantMode, Day>> {
    const { rows } = await this.pool.query<{ mode: MerchantMode; watermark: string }>({
      name: 'history-watermarks',
      text: WATERMARKS,
      values: [modes],
    });
    return new Map(rows.map(({ mode, watermark }) => [mode, parseDay(watermark)]));
  }

  /**
   * Stores the lease's token, so that former holders of the lease can no longer write; the first
   * call creates the environment's row.
   */
  async fence(mode: MerchantMode, token: string, now: Instant): Promise<void> {
    await this.pool.query(FENCE, [mode, firstWatermark(now), now, token]);
  }

  /**
   * Resolves to false when the watermark is no longer at `from`. @throws LeaseLost when another
   * worker holds the lease.
   */
  async move(mode: MerchantMode, token: string, from: Day, to: Day): Promise<boolean> {
    const values = [mode, token, from, to];
    const { rows, rowCount } = await this.pool.query<{ watermark: string }>(MOVE, values);
    mustBeOurs(rowCount, mode);
    return rows[0]?.watermark === to;
  }

  /** Ends the polling run that began with `plan`. @throws LeaseLost */
  async endRound(
    mode: MerchantMode,
    token: string,
    plan: HistoryPlan,
    after: Pick<HistoryPlan, 'nextRoundAt' | 'failures'>,
  ): Promise<void> {
    const values = [mode, token, plan.nextRoundAt, after.nextRoundAt, after.failures];
    const { rowCount } = await this.pool.query(END, values);
    mustBeOurs(rowCount, mode);
  }
}

const mustBeOurs = (rowCount: number | null, mode: MerchantMode): void => {
  if (rowCount !== 1) throw new LeaseLost(`the history ${mode} is being read by another worker`);
};
