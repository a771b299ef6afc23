import type { Pool } from 'pg';
import type { Logger } from '#platform';
import type { Intake } from './intake.js';
import { LeasedLoop } from './leased-loop.js';
import type { ParkedRef } from './parked-keys.js';

const AT_ONCE = 20;
/** A stream that gets new events faster than it is taken is left for the next round. */
const MAX_LAPS = 5;
const IDLE_MS = { first: 100, widest: 1_000 };

/**
 * Tries parked streams of one consumer again when that is asked for: takes from the log what the
 * stream has, and lets the consumer have it back once it has caught up. One process at a time, so
 * that no work is done twice; were there two, the inbox would keep them apart.
 */
export class ParkedRelease {
  private readonly loop: LeasedLoop;

  constructor(
    private readonly consumer: string,
    private readonly intake: Intake,
    pool: Pool,
    private readonly logger: Logger,
  ) {
    this.loop = new LeasedLoop(
      { name: `parked:${consumer}`, round: (_lease, signal) => this.round(signal) },
      { pool, logger, idleMs: IDLE_MS },
    );
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async round(signal: AbortSignal): Promise<'more' | 'idle'> {
    const refs = await this.intake.parkedKeys.toRelease(this.consumer, AT_ONCE);
    for (const ref of refs) {
      if (signal.aborted) break;
      await this.release(ref, signal);
    }
    return refs.length === AT_ONCE ? 'more' : 'idle';
  }

  private async release(ref: ParkedRef, signal: AbortSignal): Promise<void> {
    const { streamType, streamId } = ref;
    for (let laps = 0; laps < MAX_LAPS && !signal.aborted; laps += 1) {
      if ((await this.intake.catchUp(ref, signal)) !== 'done') return;
      if (await this.intake.parkedKeys.releaseIfCaughtUp(ref)) {
        this.logger.info({ streamType, streamId }, 'a parked key goes on');
        return;
      }
    }
  }
}
