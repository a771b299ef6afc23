import { NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, csrf, type Schemas } from '../api/client';
import { useT } from '../i18n/i18n';
import type { Role } from '../session/session-query';
import { ReasonDialog } from '../shared/reason-dialog';
import { wrongField } from '../shared/wrong-fields';
import { AccessFields } from './access-fields';
import { type Access, limitsOf, scopeOf, textOfLimits, textOfScope } from './access-text';
import { ROLES, type User } from './user';

/** The kind of change that the admin has chosen, and the user to change. */
export type UserIntent =
  | { readonly kind: 'create' }
  | {
      readonly kind:
        | 'role'
        | 'access'
        | 'disable'
        | 'enable'
        | 'reset'
        | 'resetFactor'
        | 'registerIdentity'
        | 'removeIdentity';
      readonly user: User;
    };

/** The result of a user's change; `action` is set if a second person must approve the change. */
export type Changed = Schemas['UserChangeAnswer'] & { readonly oneTimePassword?: string | null };

interface UserDialogProps {
  readonly intent: UserIntent;
  /** Whether users can sign in at an identity provider. */
  readonly hasProvider: boolean;
  readonly onClose: () => void;
  /**
   * Called with the one-time password, which is shown only once, or with the action that awaits
   * approval.
   */
  readonly onChanged: (name: string, changed: Changed) => void;
}

interface Fields {
  readonly name: string;
  readonly role: Role;
  readonly email: string;
  readonly access: Access;
}

/** Makes the change, or requests an approval if the change needs one. */
const change = async (
  intent: UserIntent,
  { name, role, email, access }: Fields,
  reason: string,
): Promise<Changed> => {
  const header = csrf();
  if (intent.kind === 'create') {
    const body = { name, role, ...access, reason, ...(email !== '' && { email }) };
    return bodyOf(api.POST('/v1/users', { params: { header }, body }));
  }
  const params = { header, path: { id: intent.user.id } };
  switch (intent.kind) {
    case 'role':
      return bodyOf(api.POST('/v1/users/{id}/role', { params, body: { role, reason } }));
    case 'access':
      return bodyOf(api.POST('/v1/users/{id}/access', { params, body: { ...access, reason } }));
    case 'disable':
      return bodyOf(api.POST('/v1/users/{id}/disable', { params, body: { reason } }));
    case 'enable':
      return bodyOf(api.POST('/v1/users/{id}/enable', { params, body: { reason } }));
    case 'reset':
      return bodyOf(api.POST('/v1/users/{id}/reset-password', { params, body: { reason } }));
    case 'resetFactor':
      return bodyOf(api.POST('/v1/users/{id}/reset-second-factor', { params, body: { reason } }));
    case 'registerIdentity':
      return bodyOf(
        api.POST('/v1/users/{id}/register-identity', { params, body: { email, reason } }),
      );
    case 'removeIdentity':
      return bodyOf(api.POST('/v1/users/{id}/remove-identity', { params, body: { reason } }));
  }
};

/** The values of the dialog's fields as typed, before the validation. */
interface Typed extends Omit<Fields, 'access'> {
  readonly scope: string;
  readonly limits: string;
}

interface UserFieldsProps extends Pick<UserDialogProps, 'intent' | 'hasProvider'> {
  readonly error: Error | null;
  readonly fields: Typed;
  readonly onFields: (next: Partial<Typed>) => void;
}

const UserFields = ({ intent, hasProvider, error, fields, onFields }: UserFieldsProps) => {
  const t = useT();
  const { name, role, email } = fields;
  const isNew = intent.kind === 'create';
  const isRegistering = intent.kind === 'registerIdentity';
  const hasRole = isNew || intent.kind === 'role';
  return (
    <>
      {isNew && (
        <TextInput
          label={t.users.name}
          description={t.users.nameHint}
          value={name}
          required
          withAsterisk={false}
          data-autofocus
          autoComplete="off"
          error={wrongField(error, 'name')}
          onChange={(event) => onFields({ name: event.target.value })}
        />
      )}
      {(isRegistering || (isNew && hasProvider)) && (
        <TextInput
          type="email"
          label={t.users.email}
          description={t.users.emailHint}
          value={email}
          required={isRegistering}
          withAsterisk={false}
          autoComplete="off"
          error={wrongField(error, 'email')}
          onChange={(event) => onFields({ email: event.target.value })}
        />
      )}
      {hasRole && (
        <NativeSelect
          label={t.users.role}
          description={t.users.roleHints[role]}
          value={role}
          data={ROLES.map((value) => ({ value, label: t.shell.roles[value] }))}
          onChange={(event) => onFields({ role: event.target.value as Role })}
        />
      )}
      {(isNew || intent.kind === 'access') && (
        <AccessFields
          scope={fields.scope}
          limits={fields.limits}
          onScope={(scope) => onFields({ scope })}
          onLimits={(limits) => onFields({ limits })}
        />
      )}
    </>
  );
};

export const UserDialog = ({ intent, hasProvider, onClose, onChanged }: UserDialogProps) => {
  const t = useT();
  const queries = useQueryClient();
  const known = intent.kind === 'create' ? null : intent.user;
  const [fields, setFields] = useState<Typed>({
    name: known?.name ?? '',
    role: known?.role ?? 'viewer',
    email: '',
    scope: known === null ? '' : textOfScope(known),
    limits: known === null ? '' : textOfLimits(known),
  });
  const onFields = (next: Partial<Typed>) => setFields({ ...fields, ...next });
  const { name, role, email } = fields;
  const scope = scopeOf(fields.scope);
  const limits = limitsOf(fields.limits);
  const isRegistering = intent.kind === 'registerIdentity';
  const act = async (reason: string): Promise<void> => {
    const wanted = {
      name: name.trim(),
      role,
      email: email.trim(),
      access: { scope: scope ?? [], limits: limits ?? [] },
    };
    onChanged(wanted.name, await change(intent, wanted, reason));
    void queries.invalidateQueries();
  };
  return (
    <ReasonDialog
      title={
        known === null ? t.users.create : t.shared.labeled(t.users.acts[intent.kind], known.name)
      }
      lead={t.users.leads[email !== '' && known === null ? 'createWithAccount' : intent.kind]}
      submit={t.users.acts[intent.kind]}
      onClose={onClose}
      act={act}
      isReady={
        name.trim() !== '' &&
        (!isRegistering || email.trim() !== '') &&
        scope !== null &&
        limits !== null
      }
      isDangerous={['disable', 'resetFactor', 'removeIdentity'].includes(intent.kind)}
    >
      {(error) => <UserFields {...{ intent, hasProvider, error, fields, onFields }} />}
    </ReasonDialog>
  );
};
