import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { minorDigits } from '../shared/format';
import { wrongField } from '../shared/wrong-fields';
import type { Wish } from './action';

interface WishFieldsProps {
  readonly wish: Wish;
  readonly onChange: (wish: Wish) => void;
  /** Why it was refused at last. */
  readonly error: Error | null;
  /** What is typed can be no amount, and somebody has asked for it. */
  readonly isAmountWrong: boolean;
}

/** Typed in major units, kept in minor ones. */
const AmountField = ({
  wish,
  onChange,
  error,
  isAmountWrong,
  currency,
}: WishFieldsProps & { readonly currency: string }) => {
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
        const { amountMinor: _, ...target } = wish.target;
        // The digits as they stand, without the point: no fraction is ever computed.
        const [whole = '', rest = ''] = value.split('.');
        const minor = Number(`${whole}${rest.padEnd(digits, '0')}`);
        onChange({
          // Nothing typed is all that is left; a nought is an amount, and a wrong one.
          ...wish,
          target: value === '' ? target : { ...target, amountMinor: minor },
        });
      }}
    />
  );
};

const HistoryFields = ({ wish, onChange, error }: Omit<WishFieldsProps, 'isAmountWrong'>) => {
  const t = useT();
  const { target, modes = [] } = wish;
  return (
    <>
      {modes.length > 1 && (
        <NativeSelect
          label={t.merchants.mode}
          value={target.subjectId}
          data={[...modes]}
          onChange={(event) =>
            onChange({ ...wish, target: { ...target, subjectId: event.target.value } })
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
          onChange({ ...wish, target: { ...target, fromDay: event.target.value } })
        }
      />
    </>
  );
};

/** What a wish has besides its reason. */
export const WishFields = (props: WishFieldsProps) => {
  const { wish, onChange, error } = props;
  const t = useT();
  if (wish.kind === 'refund' && wish.currency !== undefined) {
    return <AmountField {...props} currency={wish.currency} />;
  }
  if (wish.kind === 'settle_call' && (wish.call === 'refund' || wish.call === 'debit_mandate')) {
    const { refundIsOthers, debitIsOthers } = t.actions;
    return (
      <Checkbox
        label={wish.call === 'refund' ? refundIsOthers : debitIsOthers}
        checked={wish.target.refundIs === 'others'}
        onChange={(event) =>
          onChange({
            ...wish,
            target: { ...wish.target, refundIs: event.target.checked ? 'others' : 'ours' },
          })
        }
      />
    );
  }
  if (wish.kind !== 'poll_history') return null;
  return <HistoryFields wish={wish} onChange={onChange} error={error} />;
};
