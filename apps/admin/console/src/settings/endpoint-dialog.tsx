import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Action } from '../actions/action';
import { api, bodyOf, csrf } from '../api/client';
import { useT } from '../i18n/i18n';
import { ReasonDialog } from '../shared/reason-dialog';
import { wrongField } from '../shared/wrong-fields';

interface EndpointDialogProps {
  readonly onClose: () => void;
  readonly onAsked: (action: Action) => void;
}

type Fields = Readonly<Record<'platformId' | 'url' | 'eventTypes' | 'merchantId', string>>;

/** The order of the fields in the dialog. */
const NAMES: readonly (keyof Fields)[] = ['platformId', 'url', 'eventTypes', 'merchantId'];

/** The words of a text, which are separated by spaces or commas. */
const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

/** Requests a webhook endpoint of a platform, which a second admin must approve. */
export const EndpointDialog = ({ onClose, onAsked }: EndpointDialogProps) => {
  const t = useT();
  const queries = useQueryClient();
  const [fields, setFields] = useState<Fields>({
    platformId: '',
    url: '',
    eventTypes: '*',
    merchantId: '',
  });
  const texts = t.settings.endpointFields;
  const act = async (reason: string): Promise<void> => {
    const merchantId = fields.merchantId.trim();
    const body = {
      platformId: fields.platformId.trim(),
      url: fields.url.trim(),
      eventTypes: wordsOf(fields.eventTypes),
      ...(merchantId !== '' && { merchantId }),
      reason,
    };
    onAsked(await bodyOf(api.POST('/v1/webhook-endpoints', { params: { header: csrf() }, body })));
    void queries.invalidateQueries();
  };
  return (
    <ReasonDialog
      title={t.actions.kinds.create_endpoint}
      lead={t.settings.newEndpointLead}
      submit={t.actions.requestApproval}
      onClose={onClose}
      act={act}
      isReady={fields.platformId.trim() !== '' && fields.url.trim() !== ''}
    >
      {(error) =>
        NAMES.map((name) => (
          <TextInput
            key={name}
            {...texts[name]}
            value={fields[name]}
            required={name === 'platformId' || name === 'url'}
            withAsterisk={false}
            {...(name === 'platformId' && { 'data-autofocus': true })}
            autoComplete="off"
            error={wrongField(error, name)}
            onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
          />
        ))
      }
    </ReasonDialog>
  );
};
