import { Rejection } from '#kernel';
import type { ShownAmount } from '../../collection/page-flow/shown-amount.js';

interface PageBody {
  /** The body without the shown amount. */
  readonly fields: unknown;
  /** Null in a request that no page has sent, such as one of a test without a browser. */
  readonly shown: ShownAmount | null;
}

const refuse = (): never => {
  throw new Rejection('invalid_shown', 'the shown amount is malformed');
};

const shownOf = (value: unknown): ShownAmount => {
  if (typeof value !== 'object' || value === null) return refuse();
  const amount: unknown = Reflect.get(value, 'amount');
  const currency: unknown = Reflect.get(value, 'currency');
  if (!Number.isInteger(amount) || typeof currency !== 'string') return refuse();
  return { amount: Number(amount), currency };
};

/** Separates the amount that the page shows to the payer from the other fields of a body. */
export const pageBody = (body: unknown): PageBody => {
  if (typeof body !== 'object' || body === null || !('shown' in body)) {
    return { fields: body, shown: null };
  }
  const { shown, ...fields } = body;
  return { fields, shown: shownOf(shown) };
};
