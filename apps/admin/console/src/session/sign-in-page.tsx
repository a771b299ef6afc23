import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiProblem } from '../api/client';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import { FormError } from '../shared/form-error';
import { ProblemText } from '../shared/problem-text';
import { useTitle } from '../shared/use-title';
import { DoorPage } from './door-page';
import { ProviderButton } from './provider-button';
import { type Session, useDoors } from './session-query';

const textOf = (error: Error, t: Dictionary): ReactNode => {
  const status = error instanceof ApiProblem ? error.status : null;
  if (status === 401) return t.session.refused;
  return status === 429 ? t.session.tooMany : <ProblemText error={error} />;
};

interface SignInPageProps {
  /** The expired session; if the same user signs in again, the unsaved input is restored. */
  readonly ended?: Session;
  /** Why the sign-in at the identity provider failed. */
  readonly failure?: ApiProblem;
}

export const SignInPage = ({ ended, failure }: SignInPageProps) => {
  const t = useT();
  const { signIn } = useDoors();
  const [name, setName] = useState(ended?.name ?? '');
  const [password, setPassword] = useState('');
  const going = useMutation({ mutationFn: () => signIn(name.trim(), password) });
  const error = going.error ?? (going.isIdle ? (failure ?? null) : null);
  useTitle(t.session.title);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    going.mutate();
  };
  return (
    <DoorPage
      title={t.session.title}
      lead={ended === undefined ? t.session.lead : t.session.endedLead}
    >
      <form onSubmit={submit}>
        <Stack>
          <FormError text={error === null ? null : textOf(error, t)} />
          <TextInput
            label={t.session.name}
            name="username"
            autoComplete="username"
            required
            autoFocus={ended === undefined}
            withAsterisk={false}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <PasswordInput
            label={t.session.password}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            autoFocus={ended !== undefined}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Button type="submit" loading={going.isPending} fullWidth mt="xs">
            {t.session.submit}
          </Button>
        </Stack>
      </form>
      <ProviderButton keepsPage={ended !== undefined} />
    </DoorPage>
  );
};
