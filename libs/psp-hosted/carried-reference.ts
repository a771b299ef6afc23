/**
 * Our payment's id, as the provider's object carries it.
 * docs/provider/payments-completion.md#resources: `unique_id` belongs to one object alone and never
 * changes, `order_id` is whatever was written last.
 */
export const carriedReference = ({
  unique_id,
  order_id,
}: {
  readonly unique_id: string | null;
  readonly order_id: string | null;
}): string | null => unique_id ?? order_id;
