import { listOf, shape, TEXT } from '../../api/answers.js';
import { idOf, object } from '../wire/schema.js';
import { wireQuery } from '../wire/wire-check.js';

/** Both of the parcel are there once it is shipped, and neither before. */
export const terminalAnswer = object({
  id: idOf('term'),
  name: TEXT,
  status: shape<string>({
    type: 'string',
    enum: [
      'pendingOrder', 'orderCancelled', 'orderInProgress', 'shipped', 'delivred', 'activated',
      'posLostByCarrier', 'pendingPosReturn', 'poskeptByMerchant', 'posReturned', 'deactivated',
    ],
  }),
  'carrier-name': TEXT,
  'tracking-url': TEXT,
}, ['id', 'name', 'status']);
export const terminalsAnswer = listOf(terminalAnswer);

export const accountQuery = wireQuery({ company: TEXT, account: TEXT });

export const orderQuery = wireQuery({
  company: TEXT, account: TEXT,
  name: shape<string>({ type: 'string', minLength: 1, maxLength: 100, pattern: '\\S' }),
});

export const cancelQuery = wireQuery({ company: TEXT, account: TEXT, 'payment-terminal': TEXT });
