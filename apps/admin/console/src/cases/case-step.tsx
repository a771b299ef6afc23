import { Link } from 'wouter';
import { usePendingActions } from '../actions/action';
import { ActionButtons } from '../actions/action-buttons';
import { useT } from '../i18n/i18n';
import { ApproveButton } from './approve-button';
import { type Case, isIncident } from './case';
import { titleOf } from './case-texts';
import { playbookOf, stepOfIncident } from './playbook';

interface CaseStepProps {
  readonly row: Case;
  readonly isCompact?: boolean;
}

/**
 * The button of the recommended step for a case or for a whole incident. If the step's action
 * awaits approval, the button approves it.
 */
export const CaseStep = ({ row, isCompact = false }: CaseStepProps) => {
  const t = useT();
  const pending = usePendingActions().data?.find(({ id }) => id === row.actionId);
  // The row of an incident offers no approval of an action that concerns only one of its cases.
  if (pending !== undefined && (!isIncident(row) || pending.subjectType === 'incident')) {
    return <ApproveButton actionId={pending.id} isCompact={isCompact} />;
  }
  const step = isIncident(row) ? stepOfIncident(row) : playbookOf(row).first;
  if (step?.path !== undefined) {
    return (
      <Link href={step.path} className="link">
        {t.cases.open}
      </Link>
    );
  }
  if (step?.request === undefined) return null;
  const subject = isIncident(row) ? titleOf(t, row) : row.subjectId;
  return <ActionButtons requests={[step.request]} subject={subject} isCompact={isCompact} />;
};
