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
