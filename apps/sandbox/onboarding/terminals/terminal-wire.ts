import { exactly, idOf, listOf, TEXT } from '../wire/schema.js';
import { wireQuery } from '../wire/wire-check.js';

const terminalFields = {
  id: idOf('term'),
  name: TEXT,
  status: {
    type: 'string',
    enum: [
      'pendingOrder', 'orderCancelled', 'orderInProgress', 'shipped', 'delivred', 'activated',
      'posLostByCarrier', 'pendingPosReturn', 'poskeptByMerchant', 'posReturned', 'deactivated',
    ],
  },
};

/** Both are there once it is shipped, and neither before. */
export const terminalAnswer = {
  ...exactly(terminalFields),
  properties: { ...terminalFields, 'carrier-name': TEXT, 'tracking-url': TEXT },
};
export const terminalsAnswer = listOf(terminalAnswer);

export const accountQuery = wireQuery<{ readonly company: string; readonly account: string }>({
  company: TEXT, account: TEXT,
});

export const orderQuery = wireQuery<{
  readonly company: string;
  readonly account: string;
  readonly name: string;
}>({
  company: TEXT, account: TEXT,
  name: { type: 'string', minLength: 1, maxLength: 100, pattern: '\\S' },
});

export const cancelQuery = wireQuery<{
  readonly company: string;
  readonly account: string;
  readonly 'payment-terminal': string;
}>({ company: TEXT, account: TEXT, 'payment-terminal': TEXT });
