import { ActionButtons } from '../actions/action-buttons';
import { useI18n } from '../i18n/i18n';
import { formatAmount } from '../shared/format';
import type { Exception } from './exception';

/** The payout line, or the payout as a whole, that a break belongs to. */
export interface Differing extends Pick<
  Exception,
  'lineKind' | 'objectId' | 'payoutId' | 'currency'
> {
  /** The amount of the line; null if the payout's totals differ. */
  readonly amountMinor: number | null;
}

interface CloseExceptionProps extends Differing {
  readonly id: string;
  readonly kind: string;
  /** `facts`, or the operator who closed the break; null: open. */
  readonly closedBy: string | null;
}

const ACCEPTED_KINDS = ['unknown', 'amount', 'duplicate', 'fee'];

/**
 * Whether the break is about money that a line of the provider shows: such a line can be accepted.
 * For another break nothing was paid, or not in a currency that the ledger can book.
 */
export const isOfLine = (kind: string, lineKind: Exception['lineKind']): boolean =>
  ACCEPTED_KINDS.includes(kind) && lineKind !== 'payout';

/**
 * The buttons that close a break, labeled with its line, amount and payout. The line of a break that
 * an operator closed can still be accepted, because closing books nothing.
 */
export const CloseException = ({
  id,
  kind,
  closedBy,
  lineKind,
  objectId,
  payoutId,
  amountMinor,
  currency,
}: CloseExceptionProps) => {
  const { t, locale } = useI18n();
  const { kinds, lines } = t.reconciliation;
  const subject = [
    kinds[kind] ?? kind,
    `${lines[lineKind]} ${objectId}`,
    amountMinor === null ? null : formatAmount(amountMinor, currency, locale),
    payoutId === null || payoutId === objectId ? null : `${lines.payout} ${payoutId}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
  return (
    <ActionButtons
      isCompact
      subject={subject}
      requests={[
        ...(closedBy === null
          ? [{ kind: 'close_exception', target: { subjectId: id } } as const]
          : []),
        ...(isOfLine(kind, lineKind) && closedBy !== 'facts'
          ? [{ kind: 'accept_line', target: { subjectId: id } } as const]
          : []),
      ]}
    />
  );
};
