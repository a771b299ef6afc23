import type { Tone } from '../shared/status-badge';

/** The statuses in the order of onboarding. */
export const MERCHANT_STATUSES = [
  'draft',
  'requested',
  'rejected',
  'incomplete',
  'in_review',
  'validated',
  'available',
  'closing',
  'closed',
] as const;

export const MERCHANT_TONES: Readonly<Record<string, Tone>> = {
  draft: 'calm',
  requested: 'busy',
  incomplete: 'wait',
  in_review: 'busy',
  validated: 'busy',
  available: 'ok',
  closing: 'wait',
  closed: 'calm',
  rejected: 'bad',
};

export const merchantTone = (status: string): Tone => MERCHANT_TONES[status] ?? 'wait';
