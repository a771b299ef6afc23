import type { EntityType } from '../entity/entity-types';
import type { Wish } from './action';

interface Seen {
  readonly type: EntityType;
  readonly id: string;
  readonly status: string;
  /** Asked for already: another wish would change nothing. */
  readonly isCaptureRequested: boolean;
  readonly currency: string | null;
}

/** A stuck call is made again; one of a payment is settled by what the provider shows of it. */
export const wishesForCall = (jobId: string, of: string, call: string): readonly Wish[] => {
  const target = { subjectId: jobId };
  const retry: Wish = { kind: 'retry_call', target, of };
  return of.startsWith('pay_') ? [{ kind: 'settle_call', target, of, call }, retry] : [retry];
};

/** In these a capture is decided on; elsewhere the server would only say no. */
const CAPTURABLE = ['authorized'];
const REFUNDABLE = ['to_capture', 'capture_sent', 'captured'];
const CANCELABLE = ['open', 'authorized'];

/** What may be put right of an entity as it stands. The dry run tells what is true then. */
export const wishesFor = ({
  type,
  id,
  status,
  isCaptureRequested,
  currency,
}: Seen): readonly Wish[] => {
  const target = { subjectId: id };
  switch (type) {
    case 'payment':
      return [
        { kind: 'refresh', target },
        ...(CAPTURABLE.includes(status) && !isCaptureRequested
          ? [{ kind: 'capture', target } as const]
          : []),
        ...(REFUNDABLE.includes(status) && currency !== null
          ? [{ kind: 'refund', target, currency } as const]
          : []),
      ];
    case 'order':
      return CANCELABLE.includes(status) ? [{ kind: 'cancel', target }] : [];
    case 'payout':
    case 'merchant':
    // Which of its actions there are follows from its merchant's others: the list has them.
    case 'account':
      return [];
  }
};
