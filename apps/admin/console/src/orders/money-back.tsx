import { useI18n } from '../i18n/i18n';
import { formatAmount } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';

interface MoneyBackProps {
  readonly refundedMinor: number;
  /** By chargebacks that were not won, returned debits and payments that never came. */
  readonly takenBackMinor: number;
  readonly currency: string;
}

/** What went back of an order, which stays paid; nothing where nothing did. */
export const MoneyBack = ({ refundedMinor, takenBackMinor, currency }: MoneyBackProps) => {
  const { t, locale } = useI18n();
  const { refunded, takenBack } = t.lists.orders;
  const amount = (minor: number) => formatAmount(minor, currency, locale);
  return (
    <>
      {refundedMinor > 0 && <StatusBadge tone="wait" label={refunded(amount(refundedMinor))} />}
      {takenBackMinor > 0 && <StatusBadge tone="bad" label={takenBack(amount(takenBackMinor))} />}
    </>
  );
};
