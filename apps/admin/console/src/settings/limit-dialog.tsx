import { NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Action } from '../actions/action';
import { api, bodyOf, csrf, type Schemas } from '../api/client';
import { useT } from '../i18n/i18n';
import { ReasonDialog } from '../shared/reason-dialog';
import { wrongField } from '../shared/wrong-fields';

type Limit = Schemas['LimitItem'];

interface LimitDialogProps {
  readonly onClose: () => void;
  readonly onAsked: (action: Action) => void;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly labels: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

const Choice = <Value extends string>({ label, value, labels, onChange }: ChoiceProps<Value>) => (
  <NativeSelect
    label={label}
    value={value}
    onChange={(event) => onChange(event.target.value as Value)}
    data={Object.entries<string>(labels).map(([one, text]) => ({ value: one, label: text }))}
  />
);

/** Whose limit, of what, and how much: it holds when a second admin has approved it. */
export const LimitDialog = ({ onClose, onAsked }: LimitDialogProps) => {
  const t = useT();
  const queries = useQueryClient();
  const [limit, setLimit] = useState<Limit>({
    holder: 'platform',
    holderId: '*',
    operation: 'refund',
    unit: 'amount',
    daily: 0,
  });
  const act = async (reason: string): Promise<void> => {
    onAsked(
      await bodyOf(
        api.POST('/v1/limits', {
          params: { header: csrf() },
          body: { ...limit, holderId: limit.holderId.trim(), reason },
        }),
      ),
    );
    void queries.invalidateQueries();
  };
  return (
    <ReasonDialog
      title={t.settings.newLimit}
      lead={t.actions.second}
      submit={t.actions.ask}
      onClose={onClose}
      act={act}
      isReady={limit.holderId.trim() !== ''}
    >
      {(error) => (
        <>
          <Choice
            label={t.settings.holder}
            value={limit.holder}
            labels={t.settings.holders}
            onChange={(holder) => setLimit({ ...limit, holder })}
          />
          <TextInput
            label={t.settings.holderId}
            description={t.settings.holderHint}
            value={limit.holderId}
            autoComplete="off"
            error={wrongField(error, 'holderId')}
            onChange={(event) => setLimit({ ...limit, holderId: event.target.value })}
          />
          <Choice
            label={t.settings.operation}
            value={limit.operation}
            labels={t.settings.operations}
            onChange={(operation) => setLimit({ ...limit, operation })}
          />
          <Choice
            label={t.settings.unit}
            value={limit.unit}
            labels={t.settings.units}
            onChange={(unit) => setLimit({ ...limit, unit })}
          />
          <NumberInput
            label={t.settings.daily}
            value={limit.daily}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            error={wrongField(error, 'daily')}
            onValueChange={({ floatValue = 0 }) => setLimit({ ...limit, daily: floatValue })}
          />
        </>
      )}
    </ReasonDialog>
  );
};
