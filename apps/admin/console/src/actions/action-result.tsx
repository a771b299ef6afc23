import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useT } from '../i18n/i18n';
import { StatusBadge } from '../shared/status-badge';
import { type Action } from './action';
import { ACTION_TONES } from './action-status';
import { Outcome } from './outcome';

interface ActionResultProps {
  readonly action: Action;
  readonly onClose: () => void;
}

/** What became of what was asked. */
export const ActionResult = ({ action, onClose }: ActionResultProps) => {
  const t = useT();
  const { status } = action;
  return (
    <Stack role="status">
      <Group>
        <StatusBadge tone={ACTION_TONES[status]} label={t.actions.statuses[status]} />
      </Group>
      <Text>{status === 'pending' ? t.actions.waitsForSecond : t.actions.ended[status]}</Text>
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
