import { useI18n } from '../i18n/i18n';
import { formatAmount } from '../shared/format';
import { Note } from '../shared/note';
import { useActorName } from '../users/actor-name';
import type { Exception } from './exception';
import { Sides } from './sides';

/**
 * Shown if the provider account has a negative balance: the payout is not late, because the
 * provider withholds payouts.
 */
const Withheld = ({ exception }: { readonly exception: Exception }) => {
  const { t, locale } = useI18n();
  const { kind, closedAt, balanceMinor, currency } = exception;
  const isWithheld =
    kind === 'late' && closedAt === null && balanceMinor !== null && balanceMinor < 0;
  if (!isWithheld) return null;
  return <div>{t.reconciliation.keptBack(formatAmount(balanceMinor, currency, locale))}</div>;
};

/** What the ledger and the provider show, and who closed the break. */
export const Evidence = ({ exception }: { readonly exception: Exception }) => {
  const { t } = useI18n();
  const nameOf = useActorName();
  const { lineKind, objectId, closedBy, closeReason } = exception;
  return (
    <div>
      <div>
        {t.reconciliation.lines[lineKind]} <span className="mono">{objectId}</span>
      </div>
      <Sides {...exception} />
      <Withheld exception={exception} />
      {closedBy !== null && (
        <div>
          {closedBy === 'facts'
            ? t.reconciliation.autoResolved
            : t.reconciliation.closedBy(nameOf(closedBy))}
          {closeReason !== null && (
            <>
              {' · '}
              <Note text={closeReason} />
            </>
          )}
        </div>
      )}
    </div>
  );
};
