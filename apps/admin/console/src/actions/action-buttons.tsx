import { Button, Group } from '@mantine/core';
import { useTravelVersion } from '../entity/travel';
import { useT } from '../i18n/i18n';
import { useSession } from '../session/session-context';
import { isAtLeast } from '../session/session-query';
import { leastRoleFor, type ActionRequest } from './action';
import { useOpenAction } from './open-action';

interface ActionButtonsProps {
  readonly requests: readonly ActionRequest[];
  /** The subject of the actions, for the dialog and for screen readers. */
  readonly subject: string;
  readonly isCompact?: boolean;
}

/** Buttons for the actions that the user's role allows; none while the page shows an earlier time. */
export const ActionButtons = ({ requests, subject, isCompact = false }: ActionButtonsProps) => {
  const t = useT();
  const { role } = useSession();
  const open = useOpenAction();
  const isPast = useTravelVersion() !== null;
  const own = requests.filter(({ kind }) => isAtLeast(role, leastRoleFor(kind)));
  if (own.length === 0 || isPast) return null;
  return (
    <Group gap={6} display="inline-flex">
      {own.map((request) => (
        <Button
          key={request.kind}
          variant="default"
          size={isCompact ? 'compact-sm' : 'sm'}
          aria-label={t.shared.labeled(t.actions.kinds[request.kind], subject)}
          onClick={() => open({ request, subject })}
        >
          {(isCompact ? t.actions.inRow[request.kind] : undefined) ?? t.actions.kinds[request.kind]}
        </Button>
      ))}
    </Group>
  );
};
