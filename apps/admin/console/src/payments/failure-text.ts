import type { Dictionary } from '../i18n/en';
import { bankReason } from './bank-reason';
import type { Attempts, PaymentState } from './payment-state';

/** Why the payment was declined, returned or rejected; null: it was not. */
export const failureText = (
  t: Dictionary,
  { status, reason }: PaymentState,
  { isAccepted, declineCodes, returned }: Attempts,
): string | null => {
  const last = declineCodes.at(-1);
  if (status === 'rejected' && reason !== undefined) return t.payment.rejected(reason);
  if (returned !== null) {
    const code = returned.data['reasonCode'] as string | null;
    return t.payment.returned(bankReason(t, code));
  }
  return isAccepted || last === undefined ? null : t.payment.declined(bankReason(t, last));
};
