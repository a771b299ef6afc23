import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiProblem } from '../api/client';
import { useT } from '../i18n/i18n';
import { FormError } from '../shared/form-error';
import { ProblemText } from '../shared/problem-text';

interface CodeFieldProps {
  readonly label: string;
  readonly submit: string;
  /** Sends the code. If the returned promise rejects, the field stays and shows the error. */
  readonly send: (code: string) => Promise<unknown>;
  readonly onDone?: () => void;
  /** Whether the page recommends another second factor instead of the code. */
  readonly isSecondary?: boolean;
}

/** A form to enter a code of a second factor. */
export const CodeField = (props: CodeFieldProps) => {
  const { label, submit, send, onDone, isSecondary = false } = props;
  const t = useT();
  const [code, setCode] = useState('');
  const going = useMutation({
    mutationFn: () => send(code.trim()),
    onSuccess: () => onDone?.(),
    // Clears the field after an error, because the next attempt needs a new code.
    onError: () => setCode(''),
  });
  const textOf = (error: Error): ReactNode =>
    error instanceof ApiProblem && error.status === 429 ? (
      t.session.tooManyCodes
    ) : (
      <ProblemText error={error} />
    );
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        going.mutate();
      }}
    >
      <Stack>
        <FormError text={going.error === null ? null : textOf(going.error)} />
        <TextInput
          label={label}
          name="code"
          autoComplete="one-time-code"
          autoFocus
          data-autofocus
          required
          withAsterisk={false}
          maxLength={40}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button
          type="submit"
          variant={isSecondary ? 'default' : 'filled'}
          loading={going.isPending}
          fullWidth
          mt="xs"
        >
          {submit}
        </Button>
      </Stack>
    </form>
  );
};
