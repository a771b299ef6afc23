import { Button, Center, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '../api/client';
import { useT } from '../i18n/i18n';
import { CopyId } from '../shared/copy-id';
import { ProblemAlert } from '../shared/problem-alert';
import { CodeField } from './code-field';
import { QrCode } from './qr-code';
import { useDoors } from './session-query';

type NewFactor = Schemas['NewSecondFactorAnswer'];

interface SecondFactorFormProps {
  /** Whether the user already has a second factor, so that a code of it is required. */
  readonly isReplaced: boolean;
  readonly onDone?: () => void;
}

interface BeginProps {
  readonly isReplaced: boolean;
  readonly onBegun: (factor: NewFactor) => void;
}

const Begin = ({ isReplaced, onBegun }: BeginProps): ReactNode => {
  const t = useT();
  const { beginSecondFactor } = useDoors();
  const begin = async (code: string): Promise<void> => onBegun(await beginSecondFactor(code));
  const going = useMutation({ mutationFn: () => begin('') });
  if (isReplaced) return <CodeField label={t.session.code} submit={t.session.begin} send={begin} />;
  return (
    <>
      {going.error !== null && <ProblemAlert error={going.error} />}
      <Button fullWidth loading={going.isPending} onClick={() => going.mutate()} data-autofocus>
        {t.session.begin}
      </Button>
    </>
  );
};

/** The form to set up or replace the second factor. */
export const SecondFactorForm = ({ isReplaced, onDone }: SecondFactorFormProps) => {
  const t = useT();
  const { confirmSecondFactor } = useDoors();
  const [factor, setFactor] = useState<NewFactor | null>(null);
  if (factor === null) {
    return (
      <Stack>
        <Text size="sm">{isReplaced ? t.session.replaceLead : t.session.setUpLead}</Text>
        <Begin isReplaced={isReplaced} onBegun={setFactor} />
      </Stack>
    );
  }
  return (
    <Stack>
      <Text size="sm">{t.session.scanLead}</Text>
      <Center>
        <QrCode text={factor.uri} label={t.session.qr} />
      </Center>
      <Text size="sm" component="div">
        {t.session.secret}: <CopyId id={factor.secret} />
      </Text>
      <CodeField
        label={t.session.firstCode}
        submit={t.session.confirm}
        send={confirmSecondFactor}
        {...(onDone !== undefined && { onDone })}
      />
    </Stack>
  );
};
