import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useT } from '../i18n/i18n';
import type { FilterProblem } from './filter-problem';
import { type Choice, SeveralField } from './several-field';

/**
 * A filter control, named by the query parameter that it sets. A `day` is in the viewer's time zone
 * and filters instants; a `date` is a calendar day, the same for every viewer.
 */
export type FilterField<Name extends string> = {
  readonly name: Name;
  readonly label: string;
  /** Whether the control is always shown. By default only the first control of the bar is. */
  readonly isMain?: true;
} & (
  | {
      /** The type of the field; an `amount` needs a currency filter as well. */
      readonly kind: 'text' | 'day' | 'date' | 'amount';
    }
  | {
      readonly kind: 'month';
      /** The default month, YYYY-MM, for which the page's URL needs no filter. */
      readonly usually: string;
    }
  | {
      /**
       * `one`: a single value can be chosen. `several`: several values, separated by commas in the
       * page's URL.
       */
      readonly kind: 'choice' | 'several';
      readonly choices: readonly Choice[];
      /** The label for no selection; by default `Any`. */
      readonly usually?: string;
      /** The value that the API gets for no selection; by default none. */
      readonly unset?: string;
    }
);

interface FieldProps {
  readonly label: string;
  readonly value: string;
  /** Why the filter cannot be applied. */
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

const TYPING_MS = 300;

/** A text filter, which is applied when the typing pauses. */
const TextField = ({ label, value, error, onChange }: FieldProps) => {
  const [typed, setTyped] = useState({ text: value, from: value });
  const changeLater = useDebouncedCallback(onChange, TYPING_MS);
  // A value in the page's URL that differs from the typed text, e.g. after Back, replaces the text.
  const text = typed.from === value || typed.text.trim() === value ? typed.text : value;
  return (
    <TextInput
      label={label}
      value={text}
      error={error}
      size="sm"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        setTyped({ text: event.target.value, from: value });
        changeLater(event.target.value.trim());
      }}
    />
  );
};

const ALL = '';

interface FilterControlProps<Name extends string> {
  readonly field: FilterField<Name>;
  /** The value of the filter; undefined: not set. */
  readonly given: string | undefined;
  readonly problem: FilterProblem | null;
  /** Whether the choice with this value can be applied together with the other filters. */
  readonly isPossible: (value: string) => boolean;
  readonly onChange: (value: string) => void;
}

/** The control of one filter. */
export const FilterControl = <Name extends string>(props: FilterControlProps<Name>) => {
  const { field, given, problem, isPossible, onChange } = props;
  const t = useT();
  const { label } = field;
  const error = problem === null ? undefined : t.shared.filterProblems[problem];
  const value = given ?? (field.kind === 'month' ? field.usually : ALL);
  switch (field.kind) {
    case 'choice':
      return (
        <NativeSelect
          label={label}
          value={value}
          size="sm"
          error={error}
          data={[
            { value: ALL, label: field.usually ?? t.shared.any },
            ...field.choices.map((one) => ({ ...one, disabled: !isPossible(one.value) })),
          ]}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'day':
    case 'date':
    case 'month':
      return (
        <TextInput
          label={label}
          type={field.kind === 'month' ? 'month' : 'date'}
          size="sm"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'several':
      return (
        <SeveralField label={label} value={value} choices={field.choices} onChange={onChange} />
      );
    case 'amount':
    case 'text':
      return <TextField {...{ label, value, error, onChange }} />;
  }
};
