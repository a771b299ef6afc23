import { Rejection } from '#kernel';

/** The amount, in minor units, and the currency that the page showed to the payer. */
export interface ShownAmount {
  readonly amount: number;
  readonly currency: string;
}

/**
 * Checks, under the intent's lock, that the payer saw the amount that the payment has now: the
 * merchant may have changed it since the page was loaded. `shown` is null in a request that no page
 * has sent. Throws `Rejection('changed')`.
 */
export const checkShown = (intent: ShownAmount, shown: ShownAmount | null): void => {
  if (shown === null) return;
  if (shown.amount === intent.amount && shown.currency === intent.currency) return;
  throw new Rejection('changed', 'the payment has another amount than the page shows');
};
