import { Button, Group } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { useSession } from '../session/session-context';
import { isAtLeast } from '../session/session-query';
import { leastRoleFor, type Wish } from './action';
import { useOpenAction } from './open-action';

interface ActionButtonsProps {
  readonly wishes: readonly Wish[];
  /** To what they are done: for the dialog, and who hears the buttons and does not see their place. */
  readonly subject: string;
  readonly isCompact?: boolean;
}

/** What one who is signed in can put right here; nothing for who may only look. */
export const ActionButtons = ({ wishes, subject, isCompact = false }: ActionButtonsProps) => {
  const t = useT();
  const { role } = useSession();
  const open = useOpenAction();
  const own = wishes.filter(({ kind }) => isAtLeast(role, leastRoleFor(kind)));
  if (own.length === 0) return null;
  return (
    <Group gap={6} display="inline-flex">
      {own.map((wish) => (
        <Button
          key={wish.kind}
          variant="default"
          size={isCompact ? 'compact-sm' : 'sm'}
          aria-label={`${t.actions.kinds[wish.kind]}: ${subject}`}
          onClick={() => open({ wish, subject })}
        >
          {(isCompact ? t.actions.inRow[wish.kind] : undefined) ?? t.actions.kinds[wish.kind]}
        </Button>
      ))}
    </Group>
  );
};
