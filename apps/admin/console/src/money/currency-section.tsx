import { useI18n } from '../i18n/i18n';
import { currencyName } from '../shared/format';
import { DaysChart } from './days-chart';
import { Declines } from './declines';
import type { LinkTo } from './links';
import styles from './money.module.css';
import type { Money, MoneyOfCurrency } from './money-query';
import { OnItsWay } from './on-its-way';
import { Volume } from './volume';

export interface CurrencyProps {
  readonly money: MoneyOfCurrency;
  /** The response with the money of all currencies for a period. */
  readonly of: Money;
  readonly linkTo: LinkTo;
}

/** The money in one currency. */
export const CurrencySection = (props: CurrencyProps) => {
  const { locale } = useI18n();
  const { currency, days } = props.money;
  const id = `money-${currency}`;
  return (
    <section aria-labelledby={id} className={styles['currency']}>
      <h2 id={id} className={styles['title']}>
        {currency.toUpperCase()}{' '}
        <span className={styles['dimmed']}>{currencyName(currency, locale)}</span>
      </h2>
      <Volume {...props} />
      {days.length > 1 && <DaysChart {...props} />}
      <div className={styles['halves']}>
        <OnItsWay {...props} />
        <Declines {...props} />
      </div>
    </section>
  );
};
