import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useT } from '../i18n/i18n';
import { StatusBadge } from '../shared/status-badge';
import { type Action, endsAtOnce } from './action';
import { useOpenAction } from './open-action';
import { ACTION_TONES } from './action-status';
import { Outcome } from './outcome';
import { nextStepOf } from './rejected-refund';

interface ActionResultProps {
  readonly action: Action;
  readonly onClose: () => void;
}

const isPassedOn = ({ kind, status }: Action): boolean => status === 'done' && !endsAtOnce(kind);

/**
 * Shows the result of an action. An action that still needs a follow-up action by the user is not
 * shown as done.
 */
const ResultBadge = ({ action }: { readonly action: Action }) => {
  const t = useT();
  const { status } = action;
  if (nextStepOf(action) !== null) {
    return <StatusBadge tone="bad" label={t.entity.refundNotMade} />;
  }
  return isPassedOn(action) ? (
    <StatusBadge tone="busy" label={t.actions.passedOn} />
  ) : (
    <StatusBadge tone={ACTION_TONES[status]} label={t.actions.statuses[status]} />
  );
};

/** The status and result of an action. */
export const ActionResult = ({ action, onClose }: ActionResultProps) => {
  const t = useT();
  const { status } = action;
  const open = useOpenAction();
  const next = nextStepOf(action);
  return (
    <Stack role="status">
      <Group>
        <ResultBadge action={action} />
      </Group>
      {next === null && (
        <Text>
          {status === 'pending'
            ? t.actions.waitsForSecond
            : isPassedOn(action)
              ? t.actions.passedOnLead
              : t.actions.ended[status]}
        </Text>
      )}
      <Outcome action={action} />
      <Group justify="flex-end">
        {status === 'pending' && (
          <Link href="/approvals" className="link" onClick={onClose}>
            {t.actions.toApprovals}
          </Link>
        )}
        <Button
          onClick={onClose}
          data-autofocus={next === null || undefined}
          variant={next === null ? 'filled' : 'default'}
        >
          {t.shared.close}
        </Button>
        {next !== null && (
          <Button
            data-autofocus
            onClick={() => {
              onClose();
              open({ request: next, subject: next.target.subjectId });
            }}
          >
            {t.actions.kinds[next.kind]}
          </Button>
        )}
      </Group>
    </Stack>
  );
};
