import { useT } from '../i18n/i18n';
import { useActorName } from '../users/actor-name';
import type { Exception } from './exception';
import { Sides } from './sides';

/** What our record says against what the provider's says, and how it ended. */
export const Evidence = ({ exception }: { readonly exception: Exception }) => {
  const t = useT();
  const nameOf = useActorName();
  const closer = (by: string): string => (by === 'facts' ? t.reconciliation.facts : nameOf(by));
  const { lineKind, objectId, closedBy, closeReason } = exception;
  return (
    <div>
      <div>
        {t.reconciliation.lines[lineKind]} <span className="mono">{objectId}</span>
      </div>
      <Sides {...exception} />
      {closedBy !== null && (
        <div>
          {t.reconciliation.closedBy(closer(closedBy))}
          {closeReason !== null && ` · ${closeReason}`}
        </div>
      )}
    </div>
  );
};
