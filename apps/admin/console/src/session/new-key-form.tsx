import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useT } from '../i18n/i18n';
import { KeyProblem } from './key-problem';
import { ProofForm } from './proof-form';
import { createKey } from './security-key';
import { useSession } from './session-context';
import { type Proof, useFactors } from './use-factors';

/** The form to name and register a security key; a user with a second factor must prove it first. */
export const NewKeyForm = ({ onDone }: { readonly onDone?: () => void }) => {
  const t = useT();
  const { hasSecondFactor } = useSession();
  const { beginKey, confirmKey } = useFactors();
  const [name, setName] = useState('');
  const [options, setOptions] = useState<string | null>(null);
  const going = useMutation({
    mutationFn: async () => {
      const begun = options ?? (await beginKey({}));
      // After a failure, the form needs a new challenge.
      setOptions(null);
      await confirmKey(name.trim(), await createKey(begun));
    },
    onSuccess: () => onDone?.(),
  });
  const begin = async (proof: Proof): Promise<void> => setOptions(await beginKey(proof));
  if (hasSecondFactor && options === null && !going.isPending) {
    return (
      <Stack>
        {going.error !== null && <KeyProblem error={going.error} />}
        <Text size="sm">{t.session.proveLead}</Text>
        <ProofForm submit={t.session.giveCode} send={begin} />
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        going.mutate();
      }}
    >
      <Stack>
        {going.error !== null && <KeyProblem error={going.error} />}
        <TextInput
          label={t.session.keyName}
          description={t.session.keyNameHint}
          required
          withAsterisk={false}
          maxLength={64}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button
          type="submit"
          variant="default"
          fullWidth
          loading={going.isPending}
          disabled={name.trim() === ''}
        >
          {t.session.addKey}
        </Button>
      </Stack>
    </form>
  );
};
