import { Button, Divider, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useT } from '../i18n/i18n';
import { CodeField } from './code-field';
import { KeyProblem } from './key-problem';
import { canUseKeys, signWithKey } from './security-key';
import { useSession } from './session-context';
import { type Proof, useFactors } from './use-factors';

interface ProofFormProps {
  readonly submit: string;
  /** Sends the proof. If the returned promise rejects, the form stays and shows the error. */
  readonly send: (proof: Proof) => Promise<unknown>;
}

/** A form to prove the second factor: by a security key, if the user has one, or by a code. */
export const ProofForm = ({ submit, send }: ProofFormProps) => {
  const t = useT();
  const { hasSecurityKey, hasAuthenticator } = useSession();
  const { challengeKeys } = useFactors();
  const signing = useMutation({
    mutationFn: async () => send({ key: await signWithKey(await challengeKeys()) }),
  });
  const offersKey = hasSecurityKey && canUseKeys();
  const codes = (
    <CodeField
      isSecondary={offersKey}
      label={hasAuthenticator ? t.session.code : t.session.recoveryCode}
      submit={submit}
      send={(code) => send({ code })}
    />
  );
  if (!offersKey) return codes;
  return (
    <Stack>
      {signing.error !== null && <KeyProblem error={signing.error} />}
      <Button fullWidth loading={signing.isPending} onClick={() => signing.mutate()} data-autofocus>
        {t.session.useKey}
      </Button>
      <Divider label={t.session.or} />
      {codes}
    </Stack>
  );
};
