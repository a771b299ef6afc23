import { type Instant, newId, randomText } from '#kernel';
import { scopeOf } from '../../storage/account-scope.js';
import type { Unit } from '../../storage/unit.js';
import type { SepaRow } from '../sepa/sepa-resource.js';
import { newRum } from './mandate-input.js';
import { type MandateRow, MANDATES } from './mandate-resource.js';
import type { MandateResources } from './mandate-resources.js';
import { mandateMachine } from './mandate-states.js';
import type { SignedForm } from './signed-form.js';

/**
 * Number of letters and digits in a mandate's token. The token cannot be guessed, and the access
 * log omits it.
 */
const TOKEN_LENGTH = 30;

/** The unique constraint that a second mandate with the same reference violates. */
export const SAME_RUM = 'mandates_rum';

/** Creates a mandate that is not signed yet. */
export const newMandate = (
  sepa: SepaRow,
  made: Pick<MandateRow, 'origin' | 'intent_id' | 'rum' | 'phone_last4'>,
  now: Instant,
): MandateRow => ({
  id: newId('mndt'),
  ...scopeOf(sepa),
  status: 'unsigned',
  ...made,
  sepa_id: sepa.id,
  customer_id: sepa.customer_id,
  sign_token: randomText(TOKEN_LENGTH),
  upload_token: randomText(TOKEN_LENGTH),
  signed_at: null,
  signed_form: null,
  created_at: now,
  deleted_at: null,
});

/**
 * Signs a mandate and adds its event; generates a reference if the mandate has none. `form` is null
 * when the merchant uploads the signed document.
 */
export const signMandate = (
  unit: Unit,
  resources: MandateResources,
  mandate: MandateRow,
  form: SignedForm | null,
  signedAt: Instant,
  now: Instant,
): MandateRow => {
  const signed = {
    ...mandate,
    status: mandateMachine.next(mandate.status, 'sign'),
    rum: mandate.rum ?? newRum(),
    signed_at: signedAt,
    signed_form: form,
  };
  unit.change(MANDATES, signed);
  unit.addEvent('mandate.signed', signed, resources.mandate(signed), now);
  return signed;
};

/** Deletes the mandate: no account can be debited under this mandate any more. */
export const deleteMandate = (unit: Unit, mandate: MandateRow, now: Instant): MandateRow => {
  const status = mandateMachine.next(mandate.status, 'delete');
  const deleted = { ...mandate, status, deleted_at: now };
  unit.change(MANDATES, deleted);
  return deleted;
};
