import type { Tone } from '../shared/status-badge';
import type { ActionStatus } from './action';

export const ACTION_TONES: Readonly<Record<ActionStatus, Tone>> = {
  pending: 'wait',
  executing: 'busy',
  done: 'ok',
  failed: 'bad',
  rejected: 'calm',
  expired: 'calm',
};
