import type { Tone } from '../shared/status-badge';

/** From this lag on, a consumer is shown as slow; a shorter lag is the normal delay of a commit. */
const SLOW_SECONDS = 5;
const STUCK_SECONDS = 60;

/** The badge colour of a consumer's lag. */
export const lagTone = (seconds: number): Tone =>
  seconds >= STUCK_SECONDS ? 'bad' : seconds >= SLOW_SECONDS ? 'wait' : 'ok';
