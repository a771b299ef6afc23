import type { RecordedEvent } from '#log';
import { mandateUse, type MandateUseRow } from '#payment';

const at = '2026-03-01T10:00:00.000Z';

const event = (version: number, type: string, data: object): RecordedEvent =>
  ({
    streamType: 'payment',
    streamId: 'pay_1',
    version,
    type,
    data: { ...data, at },
  }) as unknown as RecordedEvent;

const requested = (methods: readonly string[]) =>
  event(1, 'IntentRequested', {
    orderId: 'ord_1',
    platformId: 'shop',
    accountId: 'acc_1',
    methods,
  });
const rowAfter = (...events: readonly RecordedEvent[]): MandateUseRow | null =>
  events.reduce<MandateUseRow | null>((row, one) => mandateUse.apply(row, one), null);

test('the read model of mandates contains an order’s mandate only after a debit of the mandate', () => {
  const accepted = event(3, 'DirectDebitAccepted', { attemptId: 'paym_1', mandateId: 'sepa_1' });
  expect(rowAfter(requested(['sepa']), event(2, 'IntentCreated', {}))).toMatchObject({
    payment_id: 'pay_1',
    mandate_id: null,
    version: 2,
  });
  expect(rowAfter(requested(['card', 'sepa']), accepted, event(4, 'CaptureSent', {}))).toEqual({
    payment_id: 'pay_1',
    order_id: 'ord_1',
    platform_id: 'shop',
    account_id: 'acc_1',
    mandate_id: 'sepa_1',
    debited_at: at,
    version: 4,
  });
});

test('the read model of mandates ignores a debit whose event names no mandate, as events of older releases do', () => {
  const accepted = event(2, 'DirectDebitAccepted', { attemptId: 'paym_1' });
  expect(rowAfter(requested(['sepa']), accepted)).toMatchObject({ mandate_id: null });
});

test('the read model of mandates contains no row for a card payment', () => {
  expect(rowAfter(requested(['card']), event(2, 'PaymentCaptured', {}))).toBeNull();
});
