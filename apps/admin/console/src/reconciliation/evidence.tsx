import { useT } from '../i18n/i18n';
import type { Exception } from './exception';
import { Sides } from './sides';

/** What our record says against what the provider's says, and how it ended. */
export const Evidence = ({ exception }: { readonly exception: Exception }) => {
  const t = useT();
  const { lineKind, objectId, closedBy, closeReason } = exception;
  return (
    <div>
      <div>
        {t.reconciliation.lines[lineKind]} <span className="mono">{objectId}</span>
      </div>
      <Sides {...exception} />
      {closedBy !== null && (
        <div>
          {t.reconciliation.closedBy(closedBy === 'facts' ? t.reconciliation.facts : closedBy)}
          {closeReason !== null && ` · ${closeReason}`}
        </div>
      )}
    </div>
  );
};
