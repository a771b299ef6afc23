import type { TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { flatten, type FlatValue } from '../entity/flat-state';
import { Value } from '../entity/value';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';

/**
 * The main fields of an entity in the order of display. Each value comes from the state, or from
 * the first event if the state lacks the field.
 */
const FIRST = [
  'amountMinor',
  'reference',
  'orderId',
  'paymentId',
  'merchantId',
  'platformId',
  'accountId',
  'intentId',
  'method',
  'policy',
  'feesMinor',
  'feesVatMinor',
  'date',
  'bankDate',
] as const;

/** The label of a payment method or capture policy; other values are shown unchanged. */
const textOf = (t: Dictionary, name: string, value: FlatValue['value']): FlatValue['value'] => {
  const texts: Readonly<Record<string, string>> =
    name === 'method' ? t.shared.methods : name === 'policy' ? t.entity.policies : {};
  return texts[String(value)] ?? value;
};

interface FactsProps {
  readonly entries: readonly TimelineEntry[];
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string | null;
  /** The fields that the page already shows elsewhere. */
  readonly without?: readonly (typeof FIRST)[number][];
}

/** The main facts of an entity. */
export const Facts = ({ entries, state, currency, without = [] }: FactsProps) => {
  const t = useT();
  const known = [...flatten(state), ...flatten(entries[0]?.data ?? {})];
  const facts = FIRST.filter((name) => !without.includes(name)).flatMap((name) => {
    const found = known.find(
      ({ path, value }) => value !== null && path.split('.').at(-1) === name,
    );
    return found === undefined ? [] : [{ name, value: found.value }];
  });
  return (
    <dl className={`card ${styles['facts']}`} style={{ padding: '0.75rem 1rem' }}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{t.entity.facts[name]}</dt>
          <dd>
            <Value name={name} value={textOf(t, name, value)} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  );
};
