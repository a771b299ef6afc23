import type { Tone } from '../shared/status-badge';

/** The steps of a registration, in their order. */
export const STEPS = ['company', 'details', 'documents', 'signature', 'review', 'orders'] as const;

export type StepName = (typeof STEPS)[number];
export type StepState = 'done' | 'missing' | 'pending' | 'rejected' | 'later';

export const STEP_TONES: Readonly<Record<StepState, Tone>> = {
  done: 'ok',
  missing: 'wait',
  pending: 'busy',
  rejected: 'bad',
  later: 'calm',
};

/** One step of a registration, with the missing requirements of the step. */
export interface RegistrationStep {
  readonly name: StepName;
  readonly state: StepState;
  readonly missing: readonly string[];
}

const REVIEWED: readonly string[] = ['validated', 'available', 'closing', 'closed'];

const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/**
 * The missing requirements as last read from the provider, none after the signature of the contract;
 * null if they were not read yet.
 */
const missingIn = (state: Readonly<Record<string, unknown>>): readonly string[] | null => {
  const { requirements } = state as { requirements?: { missing?: unknown } | null };
  return requirements ? stringsOf(requirements.missing) : null;
};

const stepOf = (item: string): StepName => {
  if (item === 'signature') return 'signature';
  return item.startsWith('documents.') ? 'documents' : 'details';
};

/** The state of a step in which the platform and the merchant must provide something. */
const provided = (name: StepName, known: readonly string[] | null): RegistrationStep => {
  const missing = (known ?? []).filter((item) => stepOf(item) === name);
  if (known === null) return { name, state: 'later', missing };
  return { name, state: missing.length === 0 ? 'done' : 'missing', missing };
};

/** The steps of a merchant's registration, from its state. */
export const stepsOf = (state: Readonly<Record<string, unknown>>): readonly RegistrationStep[] => {
  const { status, companyId, ordersEnabled } = state;
  const known = missingIn(state);
  const company = (): StepState => {
    if (typeof companyId === 'string') return 'done';
    if (status === 'rejected') return 'rejected';
    return status === 'requested' ? 'pending' : 'later';
  };
  const review = (): StepState => {
    if (REVIEWED.includes(String(status))) return 'done';
    return status === 'in_review' ? 'pending' : 'later';
  };
  const orders = (): StepState => {
    if (ordersEnabled === true) return 'done';
    return status === 'validated' || status === 'available' ? 'pending' : 'later';
  };
  const refused = status === 'rejected' ? stringsOf(state['fields']) : [];
  return [
    { name: 'company', state: company(), missing: refused },
    provided('details', known),
    provided('documents', known),
    provided('signature', known),
    { name: 'review', state: review(), missing: [] },
    { name: 'orders', state: orders(), missing: [] },
  ];
};
