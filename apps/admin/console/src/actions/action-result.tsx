import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useT } from '../i18n/i18n';
import { StatusBadge } from '../shared/status-badge';
import { type Action, endsAtOnce } from './action';
import { ACTION_TONES } from './action-status';
import { Outcome } from './outcome';

interface ActionResultProps {
  readonly action: Action;
  readonly onClose: () => void;
}

/** What became of what was asked. */
export const ActionResult = ({ action, onClose }: ActionResultProps) => {
  const t = useT();
  const { kind, status } = action;
  const isPassedOn = status === 'done' && !endsAtOnce(kind);
  return (
    <Stack role="status">
      <Group>
        {isPassedOn ? <StatusBadge tone="busy" label={t.actions.passedOn} />
          : <StatusBadge tone={ACTION_TONES[status]} label={t.actions.statuses[status]} />}
      </Group>
      <Text>
        {status === 'pending' ? t.actions.waitsForSecond
          : isPassedOn ? t.actions.passedOnLead : t.actions.ended[status]}
      </Text>
      <Outcome action={action} />
      <Group justify="flex-end">
        {status === 'pending' && (
          <Link href="/approvals" className="link" onClick={onClose}>{t.actions.toApprovals}</Link>
        )}
        <Button onClick={onClose} data-autofocus>{t.shared.close}</Button>
      </Group>
    </Stack>
  );
};
