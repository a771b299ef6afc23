import { Button, Group } from '@mantine/core';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import { useSession } from '../session/session-context';
import { StatusBadge } from '../shared/status-badge';
import { Time } from '../shared/time';
import { textOfLimits, textOfScope } from './access-text';
import type { User } from './user';
import type { UserIntent } from './user-dialog';

const badgeOf = ({ disabledAt, mustChangePassword }: User, t: Dictionary) => {
  if (disabledAt !== null) return <StatusBadge tone="calm" label={t.users.disabled} />;
  if (mustChangePassword) return <StatusBadge tone="wait" label={t.users.invited} />;
  return <StatusBadge tone="ok" label={t.users.active} />;
};

interface ActionsProps {
  readonly user: User;
  readonly t: Dictionary;
  readonly hasProvider: boolean;
  readonly onIntent: (intent: UserIntent) => void;
}

const Actions = ({ user, t, hasProvider, onIntent }: ActionsProps) => {
  const isOwn = useSession().userId === user.id;
  const kinds =
    user.disabledAt === null
      ? ([
          'role',
          'access',
          ...(isOwn ? [] : (['reset'] as const)),
          ...(isOwn || !user.hasSecondFactor ? [] : (['resetFactor'] as const)),
          ...(hasProvider ? (['registerIdentity'] as const) : []),
          ...(user.identity === 'none' ? [] : (['removeIdentity'] as const)),
          'disable',
        ] as const)
      : (['enable'] as const);
  return (
    <Group gap={4}>
      {kinds.map((kind) => (
        <Button
          key={kind}
          size="compact-sm"
          variant="default"
          aria-label={t.shared.labeled(t.users.acts[kind], user.name)}
          onClick={() => onIntent({ kind, user })}
        >
          {t.users.acts[kind]}
        </Button>
      ))}
    </Group>
  );
};

/**
 * The columns of the user table. `hasProvider`: whether users can sign in at an identity provider.
 * `onIntent` is null for roles that cannot change users.
 */
export const userColumns = (
  t: Dictionary,
  hasProvider: boolean,
  onIntent: ((intent: UserIntent) => void) | null,
): readonly Column<User>[] => [
  { id: 'name', header: t.users.name, cell: ({ name }) => <strong>{name}</strong> },
  { id: 'role', header: t.users.role, cell: ({ role }) => t.shell.roles[role] },
  {
    id: 'access',
    header: t.users.access,
    cell: (user) => (
      <span style={{ whiteSpace: 'pre-line' }}>
        {textOfScope(user) || t.users.seesEverything}
        {user.limits.length > 0 && `\n≤ ${textOfLimits(user).replaceAll('\n', ', ')}`}
      </span>
    ),
  },
  { id: 'status', header: t.shared.status, cell: (user) => badgeOf(user, t) },
  {
    id: 'secondFactor',
    header: t.users.secondFactor,
    cell: ({ hasSecondFactor }) =>
      hasSecondFactor ? t.users.hasSecondFactor : t.users.noSecondFactor,
  },
  ...(hasProvider
    ? [
        {
          id: 'identity',
          header: t.users.identity,
          cell: ({ identity }: User) => t.users.identities[identity],
        },
      ]
    : []),
  { id: 'created', header: t.users.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ...(onIntent === null
    ? []
    : [
        {
          id: 'acts',
          header: t.actions.column,
          cell: (user: User) => (
            <Actions user={user} t={t} hasProvider={hasProvider} onIntent={onIntent} />
          ),
        },
      ]),
];
