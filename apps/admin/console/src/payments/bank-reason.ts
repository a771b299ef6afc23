import type { Dictionary } from '../i18n/en';

/** The reason of a bank with its code, e.g. `Insufficient funds (51)`. */
export const bankReason = (t: Dictionary, code: string | null): string => {
  if (code === null) return t.payment.noReason;
  const reason = t.bankReasons[code];
  return reason === undefined ? t.payment.code(code) : t.payment.withCode(reason, code);
};
