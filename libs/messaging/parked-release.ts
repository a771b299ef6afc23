import type { Pool } from 'pg';
import type { Logger } from '#platform';
import type { Intake } from './intake.js';
import { LeasedLoop } from './leased-loop.js';
import type { ParkedKeys, ParkedRef } from './parked-keys.js';

const AT_ONCE = 20;
/** A stream that gets new events faster than it is taken is left for the next round. */
const MAX_LAPS = 5;
const IDLE_MS = { first: 100, widest: 1_000 };

interface ParkedReleaseParts {
  readonly intake: Intake;
  readonly parkedKeys: ParkedKeys;
  readonly pool: Pool;
  readonly logger: Logger;
}

/**
 * Tries parked streams of one consumer again when that is asked for: takes from the log what the
 * stream has, and lets the consumer have it back once it has caught up. One process at a time, so
 * that no work is done twice; were there two, the inbox would keep them apart.
 */
export class ParkedRelease {
  private readonly loop: LeasedLoop;

  constructor(
    private readonly consumer: string,
    private readonly parts: ParkedReleaseParts,
  ) {
    const { pool, logger } = parts;
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
    const refs = await this.parts.parkedKeys.toRelease(this.consumer, AT_ONCE);
    for (const ref of refs) {
      if (signal.aborted) break;
      await this.release(ref, signal);
    }
    return refs.length === AT_ONCE ? 'more' : 'idle';
  }

  private async release(ref: ParkedRef, signal: AbortSignal): Promise<void> {
    const { intake, parkedKeys, logger } = this.parts;
    const { streamType, streamId } = ref;
    for (let laps = 0; laps < MAX_LAPS && !signal.aborted; laps += 1) {
      if ((await intake.catchUp(ref, signal)) !== 'done') return;
      if (await parkedKeys.releaseIfCaughtUp(ref)) {
        logger.info({ streamType, streamId }, 'a parked key goes on');
        return;
      }
    }
  }
}
