import { NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, csrf, type Schemas } from '../api/client';
import { useT } from '../i18n/i18n';
import type { Role } from '../session/session-query';
import { ReasonDialog } from '../shared/reason-dialog';
import { wrongField } from '../shared/wrong-fields';
import { ROLES, type User } from './user';

/** The kind of change that the admin has chosen, and the user to change. */
export type UserIntent =
  | { readonly kind: 'create' }
  | { readonly kind: 'role' | 'disable' | 'enable' | 'reset' | 'resetFactor'; readonly user: User };

/** The result of a user's change; `action` is set if a second person must approve the change. */
export type Changed = Schemas['UserChangeAnswer'] & { readonly oneTimePassword?: string };

interface UserDialogProps {
  readonly intent: UserIntent;
  readonly onClose: () => void;
  /**
   * Called with the one-time password, which is shown only once, or with the action that awaits
   * approval.
   */
  readonly onChanged: (name: string, changed: Changed) => void;
}

/** Makes the change, or requests an approval if the change needs one. */
const change = async (
  intent: UserIntent,
  name: string,
  role: Role,
  reason: string,
): Promise<Changed> => {
  const header = csrf();
  if (intent.kind === 'create') {
    const body = { name, role, reason };
    return bodyOf(api.POST('/v1/users', { params: { header }, body }));
  }
  const params = { header, path: { id: intent.user.id } };
  switch (intent.kind) {
    case 'role':
      return bodyOf(api.POST('/v1/users/{id}/role', { params, body: { role, reason } }));
    case 'disable':
      return bodyOf(api.POST('/v1/users/{id}/disable', { params, body: { reason } }));
    case 'enable':
      return bodyOf(api.POST('/v1/users/{id}/enable', { params, body: { reason } }));
    case 'reset':
      return bodyOf(api.POST('/v1/users/{id}/reset-password', { params, body: { reason } }));
    case 'resetFactor':
      return bodyOf(api.POST('/v1/users/{id}/reset-second-factor', { params, body: { reason } }));
  }
};

export const UserDialog = ({ intent, onClose, onChanged }: UserDialogProps) => {
  const t = useT();
  const queries = useQueryClient();
  const known = intent.kind === 'create' ? null : intent.user;
  const [name, setName] = useState(known?.name ?? '');
  const [role, setRole] = useState<Role>(known?.role ?? 'viewer');
  const hasRole = intent.kind === 'create' || intent.kind === 'role';
  const act = async (reason: string): Promise<void> => {
    onChanged(name.trim(), await change(intent, name.trim(), role, reason));
    void queries.invalidateQueries();
  };
  return (
    <ReasonDialog
      title={
        known === null ? t.users.create : t.shared.labeled(t.users.acts[intent.kind], known.name)
      }
      lead={t.users.leads[intent.kind]}
      submit={t.users.acts[intent.kind]}
      onClose={onClose}
      act={act}
      isReady={name.trim() !== ''}
      isDangerous={intent.kind === 'disable' || intent.kind === 'resetFactor'}
    >
      {(error) => (
        <>
          {known === null && (
            <TextInput
              label={t.users.name}
              description={t.users.nameHint}
              value={name}
              required
              withAsterisk={false}
              data-autofocus
              autoComplete="off"
              error={wrongField(error, 'name')}
              onChange={(event) => setName(event.target.value)}
            />
          )}
          {hasRole && (
            <NativeSelect
              label={t.users.role}
              description={t.users.roleHints[role]}
              value={role}
              data={ROLES.map((value) => ({ value, label: t.shell.roles[value] }))}
              onChange={(event) => setRole(event.target.value as Role)}
            />
          )}
        </>
      )}
    </ReasonDialog>
  );
};
