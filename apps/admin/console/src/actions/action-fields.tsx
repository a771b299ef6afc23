import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { minorDigits } from '../shared/format';
import { wrongField } from '../shared/wrong-fields';
import type { ActionRequest } from './action';

interface ActionFieldsProps {
  readonly request: ActionRequest;
  readonly onChange: (request: ActionRequest) => void;
  /** The error of the last failed request; null: none. */
  readonly error: Error | null;
  /** The user has submitted an invalid amount. */
  readonly isAmountWrong: boolean;
}

/** The field of an amount, which is entered in major units and stored in minor units. */
const AmountField = ({
  request,
  onChange,
  error,
  isAmountWrong,
  currency,
}: ActionFieldsProps & { readonly currency: string }) => {
  const t = useT();
  const digits = minorDigits(currency);
  return (
    <NumberInput
      label={t.actions.amount(currency.toUpperCase())}
      description={t.actions.amountHint}
      decimalScale={digits}
      fixedDecimalScale
      hideControls
      allowNegative={false}
      error={isAmountWrong ? t.actions.amountWrong : wrongField(error, 'target/amountMinor')}
      onValueChange={({ value }) => {
        const { amountMinor: _, ...target } = request.target;
        // Inserts the decimal point into the digits as text, because a floating-point division
        // would be inexact.
        const [whole = '', rest = ''] = value.split('.');
        const minor = Number(`${whole}${rest.padEnd(digits, '0')}`);
        onChange({
          // An empty amount means the full remaining amount; zero is invalid.
          ...request,
          target: value === '' ? target : { ...target, amountMinor: minor },
        });
      }}
    />
  );
};

const HistoryFields = ({ request, onChange, error }: Omit<ActionFieldsProps, 'isAmountWrong'>) => {
  const t = useT();
  const { target, modes = [] } = request;
  return (
    <>
      {modes.length > 1 && (
        <NativeSelect
          label={t.merchants.mode}
          value={target.subjectId}
          data={[...modes]}
          onChange={(event) =>
            onChange({ ...request, target: { ...target, subjectId: event.target.value } })
          }
        />
      )}
      <TextInput
        type="date"
        label={t.actions.fromDay}
        value={target.fromDay ?? ''}
        required
        withAsterisk={false}
        error={wrongField(error, 'target/fromDay')}
        onChange={(event) =>
          onChange({ ...request, target: { ...target, fromDay: event.target.value } })
        }
      />
    </>
  );
};

/** The fields of an action, except the reason. */
export const ActionFields = (props: ActionFieldsProps) => {
  const { request, onChange, error } = props;
  const t = useT();
  if (request.kind === 'refund' && request.currency !== undefined) {
    return <AmountField {...props} currency={request.currency} />;
  }
  if (
    request.kind === 'resolve_result' &&
    (request.call === 'refund' || request.call === 'debit_mandate')
  ) {
    const { refundIsOthers, debitIsOthers } = t.actions;
    return (
      <Checkbox
        label={request.call === 'refund' ? refundIsOthers : debitIsOthers}
        checked={request.target.refundIs === 'others'}
        onChange={(event) =>
          onChange({
            ...request,
            target: { ...request.target, refundIs: event.target.checked ? 'others' : 'ours' },
          })
        }
      />
    );
  }
  if (request.kind !== 'poll_history') return null;
  return <HistoryFields request={request} onChange={onChange} error={error} />;
};
