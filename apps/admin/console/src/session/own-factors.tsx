import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client';
import { useT } from '../i18n/i18n';
import { ProblemAlert } from '../shared/problem-alert';
import { NewKeyForm } from './new-key-form';
import { ProofForm } from './proof-form';
import { SecondFactorForm } from './second-factor-form';
import { canUseKeys } from './security-key';
import { useSession } from './session-context';
import { useFactors } from './use-factors';

type Key = Schemas['SecurityKeyAnswer'];

/** The change of a second factor for which a form is open; null if no form is open. */
type Change = { readonly kind: 'app' | 'add' } | { readonly kind: 'remove'; readonly key: Key };

interface RowProps {
  readonly title: string;
  readonly children: ReactNode;
}

const Row = ({ title, children }: RowProps) => (
  <Group justify="space-between" wrap="nowrap">
    <Text size="sm">{title}</Text>
    {children}
  </Group>
);

/** The user's authenticator app and security keys, and the forms to change them. */
export const OwnFactors = ({ onDone }: { readonly onDone: () => void }) => {
  const t = useT();
  const { hasAuthenticator } = useSession();
  const { removeKey } = useFactors();
  const [change, setChange] = useState<Change | null>(null);
  const keys = useQuery({
    queryKey: ['security-keys'],
    queryFn: async () => (await bodyOf(api.GET('/v1/session/security-keys'))).items,
  });
  if (change?.kind === 'app') return <SecondFactorForm onDone={onDone} />;
  if (change?.kind === 'add') return <NewKeyForm onDone={onDone} />;
  if (change?.kind === 'remove') {
    const { id, name } = change.key;
    return (
      <Stack>
        <Text size="sm">{t.session.removeKeyLead(name)}</Text>
        <ProofForm
          submit={t.session.removeKey}
          send={async (proof) => {
            await removeKey(id, proof);
            onDone();
          }}
        />
      </Stack>
    );
  }
  return (
    <Stack>
      <Row title={t.session.app}>
        <Button size="compact-sm" variant="default" onClick={() => setChange({ kind: 'app' })}>
          {hasAuthenticator ? t.session.replaceApp : t.session.setUpApp}
        </Button>
      </Row>
      {keys.error !== null && <ProblemAlert error={keys.error} retry={keys.refetch} />}
      {keys.data?.map((key) => (
        <Row key={key.id} title={t.session.keyRow(key.name)}>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t.shared.labeled(t.session.removeKey, key.name)}
            onClick={() => setChange({ kind: 'remove', key })}
          >
            {t.session.removeKey}
          </Button>
        </Row>
      ))}
      {canUseKeys() ? (
        <Button variant="default" onClick={() => setChange({ kind: 'add' })}>
          {t.session.addKey}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          {t.session.noKeysHere}
        </Text>
      )}
    </Stack>
  );
};
