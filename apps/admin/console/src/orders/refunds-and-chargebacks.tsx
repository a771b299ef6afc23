import { useI18n } from '../i18n/i18n';
import { formatAmount } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';

interface RefundsAndChargebacksProps {
  readonly refundedMinor: number;
  /**
   * The amount in minor units that lost disputes, returned direct debits and voided payments have
   * reversed.
   */
  readonly chargedBackMinor: number;
  readonly currency: string;
}

/** The refunded and charged-back amounts of an order, whose status stays paid. */
export const RefundsAndChargebacks = ({
  refundedMinor,
  chargedBackMinor,
  currency,
}: RefundsAndChargebacksProps) => {
  const { t, locale } = useI18n();
  const { refunded, chargedBack } = t.lists.orders;
  const amount = (minor: number) => formatAmount(minor, currency, locale);
  return (
    <>
      {refundedMinor > 0 && <StatusBadge tone="wait" label={refunded(amount(refundedMinor))} />}
      {chargedBackMinor > 0 && (
        <StatusBadge tone="bad" label={chargedBack(amount(chargedBackMinor))} />
      )}
    </>
  );
};
