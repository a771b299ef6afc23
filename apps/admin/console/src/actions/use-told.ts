import { useI18n } from '../i18n/i18n';
import type { AmountText, Told } from '../i18n/told-words';
import { formatAmount } from '../shared/format';

/** Says in the viewer's language what a dry run tells. */
export const useTold = (): ((told: Told) => string) => {
  const { t, locale } = useI18n();
  const amount: AmountText = (amountMinor, currency) => formatAmount(amountMinor, currency, locale);
  return (told) => {
    // The words of a code take just what is told by it, which TypeScript does not follow.
    const say = t.told[told.code] as (told: Told, amount: AmountText) => string;
    return say(told, amount);
  };
};
