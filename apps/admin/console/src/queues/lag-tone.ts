import type { Tone } from '../shared/status-badge';

/** Seconds after which a lag is no longer what any commit takes. */
const SLOW_SECONDS = 5;
const STUCK_SECONDS = 60;

/** How far a reader is behind, as a judgement. */
export const lagTone = (seconds: number): Tone =>
  seconds >= STUCK_SECONDS ? 'bad' : seconds >= SLOW_SECONDS ? 'wait' : 'ok';
