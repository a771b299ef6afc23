import { useT } from '../i18n/i18n';
import { Amount } from '../shared/amount';
import { Note } from '../shared/note';

interface SidesProps {
  readonly kind: string;
  readonly currency: string;
  readonly expected: string;
  readonly observed: string;
}

/** The kinds of breaks whose ledger and provider values are amounts in minor units. */
const OF_AMOUNTS = ['amount', 'fee'];

/**
 * The expected value that the worker writes into the break of a payout line without a ledger entry.
 */
const AN_ENTRY = 'an entry of our journal';

/** The ledger's value and the provider's value. */
export const Sides = ({ kind, currency, expected, observed }: SidesProps) => {
  const t = useT();
  const isAbsent = expected === AN_ENTRY;
  const shown = (text: string) =>
    OF_AMOUNTS.includes(kind) && /^-?\d+$/.test(text) ? (
      <Amount amountMinor={Number(text)} currency={currency} />
    ) : (
      <Note text={kind === 'currency' ? text.toUpperCase() : text} />
    );
  return (
    <span>
      <strong className="nowrap">{t.reconciliation.ours}</strong>{' '}
      {isAbsent ? t.reconciliation.noEntry : shown(expected)}
      {' · '}
      <strong className="nowrap">{t.reconciliation.theirs}</strong>{' '}
      {isAbsent ? t.reconciliation.thisLine : shown(observed)}
    </span>
  );
};
