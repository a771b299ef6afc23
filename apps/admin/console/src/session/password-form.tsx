import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiProblem } from '../api/client';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import { FormError } from '../shared/form-error';
import { ProblemText } from '../shared/problem-text';
import { useDoors } from './session-query';

const MIN_CHARS = 12;

const textOf = (error: Error, t: Dictionary): ReactNode => {
  const status = error instanceof ApiProblem ? error.status : null;
  if (status === 401) return t.session.wrongCurrent;
  return status === 429 ? t.session.tooMany : <ProblemText error={error} />;
};

/**
 * The form to change the password. The change ends all sessions of the user; `onDone` is called in
 * the new session.
 */
export const PasswordForm = ({ onDone }: { readonly onDone?: () => void }) => {
  const t = useT();
  const { changePassword } = useDoors();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [isTried, setTried] = useState(false);
  const going = useMutation({
    mutationFn: () => changePassword(current, next),
    onSuccess: () => onDone?.(),
  });
  const isShort = next.length < MIN_CHARS;
  const isOther = again !== next;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isShort && !isOther) going.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormError text={going.error === null ? null : textOf(going.error, t)} />
        <PasswordInput
          label={t.session.current}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
          data-autofocus
        />
        <PasswordInput
          label={t.session.next}
          autoComplete="new-password"
          required
          withAsterisk={false}
          description={t.session.nextHint}
          error={isTried && isShort && t.session.tooShort}
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
        <PasswordInput
          label={t.session.again}
          autoComplete="new-password"
          required
          withAsterisk={false}
          error={isTried && isOther && t.session.notSame}
          value={again}
          onChange={(event) => setAgain(event.target.value)}
        />
        <Button type="submit" loading={going.isPending} mt="xs">
          {t.session.change}
        </Button>
      </Stack>
    </form>
  );
};
