import { Group } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import { Icon } from '../shared/icons';
import { StatusBadge, type Tone } from '../shared/status-badge';
import type { Attempts, MethodDetails } from './payment-state';
import styles from './payment.module.css';

/** A card's brand as shown to people; `cb` is an abbreviation. */
const brandText = (brand: string): string =>
  brand === 'cb' ? 'CB' : brand.replace(/(?:^|[ -])[a-z]/g, (first) => first.toUpperCase());

const TONES = {
  succeeded: 'ok',
  declined: 'bad',
  failed: 'bad',
  expired: 'bad',
  unavailable: 'calm',
} as const satisfies Readonly<Record<string, Tone>>;

const countryText = (country: string, locale: string): string =>
  new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(country) ?? country;

/** Details of the method as text, e.g. `Visa •••• 0012`. */
export const useMethodText = (): ((details: MethodDetails) => string) => {
  const { t } = useI18n();
  return ({ method, brand, last4 }) => {
    const name = brand === undefined ? t.payment.methods[method] : brandText(brand);
    return last4 === undefined ? name : `${name} •••• ${last4}`;
  };
};

interface MethodLineProps {
  readonly attempts: Attempts;
  /** The methods that the payer may choose from. */
  readonly methods: readonly ('card' | 'sepa')[];
}

/** The card or account with which the payer paid, and the outcome of 3-D Secure. */
export const MethodLine = ({ attempts, methods }: MethodLineProps) => {
  const { t, locale } = useI18n();
  const methodText = useMethodText();
  const { latest, details, isDebit } = attempts;
  const allowed = methods.map((one) => t.payment.methods[one]).join(' / ');
  const [only] = methods;
  const text =
    details !== null
      ? methodText(details)
      : latest === null
        ? `${allowed} · ${t.payment.methodUnknown}`
        : t.payment.methods[isDebit || only === undefined ? 'sepa' : only];
  return (
    <Group gap="xs" className={styles['method']}>
      <Icon name="payments" />
      <span className="visually-hidden">{t.payment.method}</span>
      <span>{text}</span>
      {details?.country !== undefined && (
        <span className={styles['dimmed']}>{countryText(details.country, locale)}</span>
      )}
      {details?.authentication !== undefined && (
        <StatusBadge
          tone={TONES[details.authentication]}
          label={t.payment.authentication[details.authentication]}
        />
      )}
    </Group>
  );
};
