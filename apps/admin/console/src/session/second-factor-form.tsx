import { Button, Center, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '../api/client';
import { useT } from '../i18n/i18n';
import { CopyId } from '../shared/copy-id';
import { ProblemAlert } from '../shared/problem-alert';
import { CodeField } from './code-field';
import { ProofForm } from './proof-form';
import { QrCode } from './qr-code';
import { useSession } from './session-context';
import { type Proof, useFactors } from './use-factors';

type NewFactor = Schemas['NewSecondFactorAnswer'];

interface BeginProps {
  readonly onBegun: (factor: NewFactor) => void;
}

const Begin = ({ onBegun }: BeginProps): ReactNode => {
  const t = useT();
  const { hasSecondFactor } = useSession();
  const { beginSecondFactor } = useFactors();
  const begin = async (proof: Proof): Promise<void> => onBegun(await beginSecondFactor(proof));
  const going = useMutation({ mutationFn: () => begin({}) });
  if (hasSecondFactor) return <ProofForm submit={t.session.begin} send={begin} />;
  return (
    <>
      {going.error !== null && <ProblemAlert error={going.error} />}
      <Button fullWidth loading={going.isPending} onClick={() => going.mutate()} data-autofocus>
        {t.session.begin}
      </Button>
    </>
  );
};

/** The form to set up or replace the authenticator app. */
export const SecondFactorForm = ({ onDone }: { readonly onDone?: () => void }) => {
  const t = useT();
  const { hasAuthenticator, hasSecondFactor } = useSession();
  const { confirmSecondFactor } = useFactors();
  const [factor, setFactor] = useState<NewFactor | null>(null);
  if (factor === null) {
    return (
      <Stack>
        <Text size="sm">{hasAuthenticator ? t.session.replaceLead : t.session.setUpLead}</Text>
        {hasSecondFactor && !hasAuthenticator && <Text size="sm">{t.session.proveLead}</Text>}
        <Begin onBegun={setFactor} />
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
