import type { RecordedEvent } from '#log';
import { column, type ValuesOf } from '#projections';

const COLUMNS = {
  payment_id: column<string>(),
  intent_id: column<string | null>(),
};

type Entry = ValuesOf<typeof COLUMNS>;

/** The ids by whose beginning or end a payment is found. */
export const paymentSearch = {
  table: 'payment_search',
  keyColumns: ['payment_id'],
  columns: COLUMNS,
  /** An intent is created or rejected once, so the row of a payment is written once. */
  entryOf: (
    _before: unknown,
    { payment_id, intent_id }: Entry,
    { type }: RecordedEvent,
  ): Entry | null =>
    type === 'IntentCreated' || type === 'IntentRejected' ? { payment_id, intent_id } : null,
} as const;
