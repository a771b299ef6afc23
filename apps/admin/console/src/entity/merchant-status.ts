import type { Tone } from '../shared/status-badge';

/** The statuses in the order in which a merchant goes through them. */
export const MERCHANT_STATUSES = [
  'draft', 'requested', 'rejected', 'notComplete', 'pendingActivation', 'validated', 'available',
  'pendingDeactivation', 'deactivate',
] as const;

export const MERCHANT_TONES: Readonly<Record<string, Tone>> = {
  draft: 'calm', requested: 'busy', notComplete: 'wait', pendingActivation: 'busy',
  validated: 'busy', available: 'ok', pendingDeactivation: 'wait', deactivate: 'calm',
  rejected: 'bad',
};

export const merchantTone = (status: string): Tone => MERCHANT_TONES[status] ?? 'wait';
