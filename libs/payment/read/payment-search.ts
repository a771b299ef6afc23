import type { RecordedEvent } from '#log';
import { column, type ValuesOf } from '#projections';

const COLUMNS = {
  payment_id: column<string>(),
  intent_id: column<string | null>(),
};

/** An intent is created or rejected once, so the row of a payment is written once. */
const entryOf = (
  row: ValuesOf<typeof COLUMNS>,
  { type }: RecordedEvent,
): ValuesOf<typeof COLUMNS> | null => {
  if (type !== 'IntentCreated' && type !== 'IntentRejected') return null;
  const { payment_id, intent_id } = row;
  return { payment_id, intent_id };
};

/** The ids by whose beginning or end a payment is found. */
export const paymentSearch = {
  table: 'payment_search',
  keyColumns: ['payment_id'],
  columns: COLUMNS,
  entryOf: (_before: unknown, after: ValuesOf<typeof COLUMNS>, event: RecordedEvent) =>
    entryOf(after, event),
} as const;
