import { waitFor } from '#testing';
import { CARDS, IBANS, Payer } from '../stack/payer.js';
import type { Platform } from '../stack/platform.js';
import type { BookOrder } from './plan.js';

/** A test bank account of the sandbox whose debits are returned after they have settled. */
const RETURNED_DEBIT_IBAN = 'FR7600000000000000000002037';
const PATIENCE = { timeoutMs: 60_000, everyMs: 50 };

const cardOf = ({ fate }: BookOrder): string => {
  if (fate === 'lost') return CARDS.disputedAndLost;
  return fate === 'disputed' || fate === 'won' ? CARDS.disputed : CARDS.plain;
};

const ibanOf = ({ fate }: BookOrder): string => {
  if (fate === 'returned') return IBANS.insufficientFunds;
  return fate === 'charged_back' ? RETURNED_DEBIT_IBAN : IBANS.accepted;
};

/** Places an order and lets the payer pay; returns the ids of the order and its payment. */
export const sell = async (
  platform: Platform,
  reference: string,
  order: BookOrder,
): Promise<{ readonly id: string; readonly paymentId: string }> => {
  const { amountMinor, currency, method } = order;
  const { body } = await platform.place({
    reference,
    amountMinor,
    currency,
    methods: [method],
    capture: { policy: 'automatic' },
  });
  const id = String(body['id']);
  const { payment } = await waitFor(async () => {
    const seen = await platform.read(id);
    return seen.payment?.pageUrl ? seen : null;
  }, PATIENCE);
  const { id: paymentId = '', pageUrl } = payment ?? {};
  const payer = new Payer(pageUrl ?? '');
  if (method === 'sepa') await payer.debit(ibanOf(order));
  else await payer.pay(cardOf(order));
  // The result of the refresh is ignored, because the order also becomes paid without a refresh.
  await platform.surely('POST', `/v1/payments/${paymentId}/refresh`, { pageCompleted: true });
  return { id, paymentId };
};
