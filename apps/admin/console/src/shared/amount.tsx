import { useI18n } from '../i18n/i18n';
import { formatAmount } from './format';

interface AmountProps {
  readonly amountMinor: number;
  readonly currency: string;
}

export const Amount = ({ amountMinor, currency }: AmountProps) => {
  const { locale } = useI18n();
  return <span className="nowrap">{formatAmount(amountMinor, currency, locale)}</span>;
};

interface AmountsProps {
  readonly of: readonly AmountProps[];
}

/** Amounts of different currencies, each on its own line. */
export const Amounts = ({ of }: AmountsProps) =>
  of.map((one) => (
    <div key={one.currency}>
      <Amount {...one} />
    </div>
  ));
