import { Button, Checkbox, Group, SimpleGrid, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, csrf, type Schemas } from '../api/client';
import { useT } from '../i18n/i18n';
import { ReasonDialog } from '../shared/reason-dialog';
import { wrongField } from '../shared/wrong-fields';
import { SETTINGS_KEY } from './settings-key';

type Scope = Schemas['Scope'];

const SCOPES: Readonly<Record<Scope, null>> = {
  'orders:read': null,
  'orders:write': null,
  'refunds:write': null,
  'captures:write': null,
  'debits:write': null,
  'payments:read': null,
  'payments:write': null,
  'accounts:read': null,
  'accounts:write': null,
  'merchants:read': null,
  'merchants:write': null,
  'merchants:details': null,
  'payouts:read': null,
  'payouts:write': null,
  'events:read': null,
  'webhooks:read': null,
  'webhooks:write': null,
};
const ALL = Object.keys(SCOPES) as readonly Scope[];

export type MadeKey = Schemas['NewApiKeyAnswer'];

interface CreateKeyDialogProps {
  readonly onClose: () => void;
  /** Called with the new key, which is shown only once. */
  readonly onKey: (made: MadeKey) => void;
}

/** Creates an API key with its platform, scopes and expiry. */
export const CreateKeyDialog = ({ onClose, onKey }: CreateKeyDialogProps) => {
  const t = useT();
  const queries = useQueryClient();
  const [platformId, setPlatformId] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [lastDay, setLastDay] = useState('');
  const act = async (reason: string): Promise<void> => {
    const expiresAt = lastDay === '' ? {} : { expiresAt: new Date(lastDay).toISOString() };
    const body = { platformId: platformId.trim(), scopes: [...scopes], reason, ...expiresAt };
    onKey(await bodyOf(api.POST('/v1/api-keys', { params: { header: csrf() }, body })));
    void queries.invalidateQueries();
  };
  return (
    <ReasonDialog
      title={t.settings.newKey}
      lead={t.settings.newKeyLead}
      submit={t.settings.makeKey}
      onClose={onClose}
      act={act}
      isReady={platformId.trim() !== '' && scopes.length > 0}
    >
      {(error) => (
        <>
          <TextInput
            label={t.shared.platform}
            description={t.settings.platformHint}
            value={platformId}
            required
            withAsterisk={false}
            data-autofocus
            autoComplete="off"
            error={wrongField(error, 'platformId')}
            onChange={(event) => setPlatformId(event.target.value)}
          />
          <Checkbox.Group
            label={t.settings.scopes}
            value={[...scopes]}
            onChange={(chosen) => setScopes(chosen as Scope[])}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={6} mt="xs">
              {ALL.map((scope) => (
                <Checkbox key={scope} size="sm" value={scope} label={scope} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Group>
            <Button size="compact-sm" variant="default" onClick={() => setScopes(ALL)}>
              {t.settings.allScopes}
            </Button>
          </Group>
          <TextInput
            type="date"
            label={t.settings.expires}
            description={t.settings.expiresHint}
            value={lastDay}
            error={wrongField(error, 'expiresAt')}
            onChange={(event) => setLastDay(event.target.value)}
          />
        </>
      )}
    </ReasonDialog>
  );
};

interface RevokeKeyDialogProps {
  readonly prefix: string;
  readonly onClose: () => void;
}

export const RevokeKeyDialog = ({ prefix, onClose }: RevokeKeyDialogProps) => {
  const t = useT();
  const queries = useQueryClient();
  const act = async (reason: string): Promise<void> => {
    await bodyOf(
      api.POST('/v1/api-keys/{prefix}/revoke', {
        params: { header: csrf(), path: { prefix } },
        body: { reason },
      }),
    );
    void queries.invalidateQueries({ queryKey: SETTINGS_KEY });
  };
  return (
    <ReasonDialog
      title={t.shared.labeled(t.settings.revoke, prefix)}
      lead={t.settings.revokeLead}
      submit={t.settings.revoke}
      onClose={onClose}
      act={act}
      isDangerous
    />
  );
};
