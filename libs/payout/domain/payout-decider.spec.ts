import { scenario } from '#testing';
import type { ObservedPayout, PayoutCommand } from './payout-command.js';
import { payoutDecider } from './payout-decider.js';
import type { PayoutEvent } from './payout-event.js';
import { account, announced, at, lines, look } from './payout.fixture.js';

const given = scenario(payoutDecider);

const observe = (observation: ObservedPayout): PayoutCommand => ({
  type: 'ObservePayout',
  account,
  observation,
  at,
});
const moved = (status: 'to_pay' | 'sent' | 'paid' | 'failed', dateBank: string | null = null) =>
  ({ type: 'PayoutMoved', status, dateBank, at }) as const;
const mismatch = (
  aspect: Extract<PayoutEvent, { type: 'PayoutMismatchObserved' }>['aspect'],
  expected: string,
  observed: string,
): PayoutEvent => ({ type: 'PayoutMismatchObserved', aspect, expected, observed, at });
const read: PayoutEvent = { type: 'PayoutLinesRead', lines, at };
const none = { unknown: 0, amount: 0, currency: 0, duplicate: 0, fee: 0 };

describe('a payout is followed', () => {
  test('from its first look on', () =>
    given()
      .when(observe(look('pending')))
      .then(announced));

  test('also when it is first seen at its end', () =>
    given()
      .when(observe(look('paid')))
      .then(announced, moved('paid', '2026-03-04')));

  test('forward', () =>
    given(announced)
      .when(observe(look('sent')))
      .then(moved('sent')));

  test('never back: an older look tells nothing', () =>
    given(announced, moved('sent'))
      .when(observe(look('to_pay')))
      .thenNothing());

  test('a status that nobody knows is pending, never a failure', () =>
    given(announced)
      .when(observe(look('being_thought_about')))
      .thenNothing());

  test.each(['pending', 'to_pay', 'sent'] as const)('from %s it may fail', (status) => {
    const before = status === 'pending' ? [announced] : [announced, moved(status)];
    given(...before)
      .when(observe(look('failed')))
      .then(moved('failed'));
  });

  test('one that has failed does not move on', () =>
    given(announced, moved('failed'))
      .when(observe(look('sent')))
      .thenNothing());

  test('paid and failed cannot both be: told once', () => {
    const clash = mismatch('status', 'failed', 'paid');
    given(announced, moved('failed'))
      .when(observe(look('paid')))
      .then(clash);
    given(announced, moved('failed'), clash)
      .when(observe(look('paid')))
      .thenNothing();
  });

  test.each([
    ['amount', { amountMinor: 1_467 }, '1466', '1467'],
    ['currency', { currency: 'usd' }, 'eur', 'usd'],
  ] as const)(
    'another %s than before is told, and nothing else is taken from that look',
    (aspect, changes, expected, observed) =>
      given(announced)
        .when(observe(look('sent', changes)))
        .then(mismatch(aspect, expected, observed)),
  );

  test('another date or fee than before is told, and the payout moves all the same', () => {
    const later = look('sent', { date: '2026-03-03', feesVatMinor: 5 });
    const told = [mismatch('fees_vat', '6', '5'), mismatch('date', '2026-03-02', '2026-03-03')];
    given(announced)
      .when(observe(later))
      .then(...told, moved('sent'));
    given(announced, ...told, moved('sent'))
      .when(observe(later))
      .thenNothing();
  });

  test('read with another account’s key it is told, once', () => {
    const command: PayoutCommand = {
      ...observe(look('sent')),
      account: { ...account, accountId: 'acc_2' },
    } as PayoutCommand;
    const clash = mismatch('account', 'acc_1', 'acc_2');
    given(announced).when(command).then(clash);
    given(announced, clash).when(command).thenNothing();
  });

  test('a currency that nobody accounts in is refused', () =>
    given()
      .when(observe(look('pending', { currency: 'xau' })))
      .thenRejected('invalid_currency'));
});

describe('its lines', () => {
  const note: PayoutCommand = { type: 'NoteLines', lines, at };

  test('are noted once', () => {
    given(announced).when(note).then(read);
    given(announced, read).when(note).thenNothing();
  });

  test('that are others than its figures count are told', () => {
    const fewer = { ...lines, payment: { count: 1, amountMinor: 1_000, feesMinor: 14 } };
    given(announced)
      .when({ type: 'NoteLines', lines: fewer, at })
      .then(
        { type: 'PayoutLinesRead', lines: fewer, at },
        mismatch(
          'lines',
          'payment 2 2000 28, refund 1 500 0, dispute 0 0 0',
          'payment 1 1000 14, refund 1 500 0, dispute 0 0 0',
        ),
      );
  });

  test('say nothing of a failed payout: they have gone on', () =>
    given(announced, moved('failed')).when(note).thenNothing());
});

describe('its reconciliation', () => {
  const reconciled: PayoutEvent = { type: 'PayoutReconciled', matched: 3, exceptions: none, at };
  const note: PayoutCommand = { type: 'NoteReconciliation', matched: 3, exceptions: none, at };

  test('is told, and again when it comes out otherwise', () => {
    given(announced, read).when(note).then(reconciled);
    given(announced, read, reconciled).when(note).thenNothing();
    const exceptions = { ...none, unknown: 1 };
    given(announced, read, reconciled)
      .when({ ...note, matched: 2, exceptions })
      .then({ ...reconciled, matched: 2, exceptions });
  });

  test('follows on its lines', () => given(announced).when(note).thenNothing());
});
