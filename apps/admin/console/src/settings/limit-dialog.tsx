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

interface LimitFieldsProps {
  readonly limit: Limit;
  readonly onChange: (limit: Limit) => void;
  /** The error of the last failed request; null: none. */
  readonly error: Error | null;
}

const LimitFields = ({ limit, onChange, error }: LimitFieldsProps) => {
  const { settings } = useT();
  return (
    <>
      <Choice
        label={settings.holder}
        value={limit.holder}
        labels={settings.holders}
        onChange={(holder) => onChange({ ...limit, holder })}
      />
      <TextInput
        label={settings.holderId}
        description={settings.holderHint}
        value={limit.holderId}
        autoComplete="off"
        error={wrongField(error, 'holderId')}
        onChange={(event) => onChange({ ...limit, holderId: event.target.value })}
      />
      <Choice
        label={settings.operation}
        value={limit.operation}
        labels={settings.operations}
        onChange={(operation) => onChange({ ...limit, operation })}
      />
      <Choice
        label={settings.unit}
        value={limit.unit}
        labels={settings.units}
        onChange={(unit) => onChange({ ...limit, unit })}
      />
      <NumberInput
        label={settings.daily}
        value={limit.daily}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        error={wrongField(error, 'daily')}
        onValueChange={({ floatValue = 0 }) => onChange({ ...limit, daily: floatValue })}
      />
    </>
  );
};

/** Requests a change of a daily limit, which a second admin must approve. */
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
      submit={t.actions.requestApproval}
      onClose={onClose}
      act={act}
      isReady={limit.holderId.trim() !== ''}
    >
      {(error) => <LimitFields limit={limit} onChange={setLimit} error={error} />}
    </ReasonDialog>
  );
};
