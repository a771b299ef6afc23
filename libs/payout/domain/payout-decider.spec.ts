import { fold } from '#kernel';
import { scenario } from '#testing';
import { NO_LINES } from './lines.js';
import type { ObservedPayout, PayoutCommand } from './payout-command.js';
import { payoutDecider } from './payout-decider.js';
import type { PayoutEvent } from './payout-event.js';
import { account, announced, at, lines, readOf } from './payout.fixture.js';
import type { AnnouncedPayout } from './payout.js';

const given = scenario(payoutDecider);

const observe = (observation: ObservedPayout): PayoutCommand => ({
  type: 'ObservePayout',
  account,
  observation,
  at,
});
const moved = (status: 'to_pay' | 'sent' | 'paid' | 'failed', bankDate: string | null = null) =>
  ({ type: 'PayoutStatusChanged', status, bankDate, at }) as const;
const mismatch = (
  aspect: Extract<PayoutEvent, { type: 'PayoutMismatchObserved' }>['aspect'],
  expected: string,
  observed: string,
): PayoutEvent => ({ type: 'PayoutMismatchObserved', aspect, expected, observed, at });
const read: PayoutEvent = { type: 'PayoutLinesRead', lines, at };
const none = { unknown: 0, amount: 0, currency: 0, duplicate: 0, fee: 0 };

describe('a payout', () => {
  test('is recorded by its first read', () =>
    given()
      .when(observe(readOf('pending')))
      .then(announced));

  test('is recorded together with its final status if the first read shows a final status', () =>
    given()
      .when(observe(readOf('paid')))
      .then(announced, moved('paid', '2026-03-04')));

  test('takes each later status that a read shows', () =>
    given(announced)
      .when(observe(readOf('sent')))
      .then(moved('sent')));

  test('is not changed by an older read', () =>
    given(announced, moved('sent'))
      .when(observe(readOf('to_pay')))
      .thenNothing());

  test('counts an unrecognised status as pending', () =>
    given(announced)
      .when(observe(readOf('being_thought_about')))
      .thenNothing());

  test.each(['pending', 'to_pay', 'sent', 'paid'] as const)(
    'can change from %s to failed',
    (status) => {
      const before = status === 'pending' ? [announced] : [announced, moved(status)];
      given(...before)
        .when(observe(readOf('failed')))
        .then(moved('failed'));
    },
  );

  test('stays failed after it has failed', () =>
    given(announced, moved('failed'))
      .when(observe(readOf('sent')))
      .thenNothing());

  test('records one mismatch if a read shows that it was paid after it has failed', () => {
    const clash = mismatch('status', 'failed', 'paid');
    given(announced, moved('failed'))
      .when(observe(readOf('paid')))
      .then(clash);
    given(announced, moved('failed'), clash)
      .when(observe(readOf('paid')))
      .thenNothing();
  });

  test('records a changed currency as a mismatch and ignores the rest of the read', () =>
    given(announced)
      .when(observe(readOf('sent', { currency: 'usd', amountMinor: 1_467 })))
      .then(mismatch('currency', 'eur', 'usd'), mismatch('amount', '1466', '1467')));

  describe('whose amount changes', () => {
    const changes = { amountMinor: 1_467, feesVatMinor: 5 } as const;
    const again: PayoutEvent = { ...announced, ...changes } as PayoutEvent;
    const amount = mismatch('amount', '1466', '1467');
    const vat = mismatch('fees_vat', '6', '5');

    test.each([
      ['pending', []],
      ['to_pay', [moved('to_pay')]],
    ] as const)('while it is %s is recorded again with the new figures', (status, before) => {
      given(announced, ...before)
        .when(observe(readOf(status, changes)))
        .then(again, ...before);
      given(announced, ...before, again, ...before)
        .when(observe(readOf(status, changes)))
        .thenNothing();
    });

    test('before a read shows that it was sent is recorded again with the new figures', () =>
      given(announced, read)
        .when(observe(readOf('paid', changes)))
        .then(again, moved('paid', '2026-03-04')));

    test('after it was sent has a mismatch, and still takes the new status', () => {
      given(announced, moved('sent'))
        .when(observe(readOf('paid', changes)))
        .then(amount, vat, moved('paid', '2026-03-04'));
      given(announced, moved('sent'), amount, vat, moved('paid', '2026-03-04'))
        .when(observe(readOf('paid', changes)))
        .thenNothing();
    });

    test('is as new', () => {
      const reconciled = { type: 'PayoutReconciled', matched: 3, exceptions: none, at } as const;
      const { terms, ...state } = fold(payoutDecider, [
        announced,
        vat,
        read,
        reconciled,
        again,
      ]) as AnnouncedPayout;
      expect(terms).toMatchObject(changes);
      expect(state).toEqual({
        status: 'pending',
        lines: null,
        reconciliation: null,
        lineCorrections: [],
        mismatches: [],
      });
    });
  });

  test('records a changed date or fee as a mismatch, and still records the new status', () => {
    const later = readOf('sent', { date: '2026-03-03', feesVatMinor: 5 });
    const mismatches = [
      mismatch('fees_vat', '6', '5'),
      mismatch('date', '2026-03-02', '2026-03-03'),
    ];
    given(announced)
      .when(observe(later))
      .then(...mismatches, moved('sent'));
    given(announced, ...mismatches, moved('sent'))
      .when(observe(later))
      .thenNothing();
  });

  test('records one mismatch if the payout is read with the key of another account', () => {
    const command: PayoutCommand = {
      ...observe(readOf('sent')),
      account: { ...account, accountId: 'acc_2' },
    } as PayoutCommand;
    const clash = mismatch('account', 'acc_1', 'acc_2');
    given(announced).when(command).then(clash);
    given(announced, clash).when(command).thenNothing();
  });

  test('rejects an unsupported currency', () =>
    given()
      .when(observe(readOf('pending', { currency: 'xau' })))
      .thenRejected('invalid_currency'));
});

describe('the lines of a payout', () => {
  const note: PayoutCommand = { type: 'NoteLines', lines, at };

  test('are recorded once', () => {
    given(announced).when(note).then(read);
    given(announced, read).when(note).thenNothing();
  });

  test('are recorded together with a mismatch if their sums differ from the totals that the payout states', () => {
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

  test('are recorded again when they change, and replace the earlier mismatch, even by one that was recorded before', () => {
    const sums = (count: number): typeof lines => ({
      ...lines,
      payment: { count, amountMinor: count * 1_000, feesMinor: count * 14 },
    });
    const recorded = (count: number): PayoutEvent[] => [
      { type: 'PayoutLinesRead', lines: sums(count), at },
      mismatch(
        'lines',
        'payment 2 2000 28, refund 1 500 0, dispute 0 0 0',
        `payment ${count} ${count * 1_000} ${count * 14}, refund 1 500 0, dispute 0 0 0`,
      ),
    ];
    given(announced, ...recorded(1))
      .when({ ...note, lines: sums(1) })
      .thenNothing();
    given(announced, ...recorded(1), ...recorded(3))
      .when({ ...note, lines: sums(1) })
      .then(...recorded(1));
    given(announced, ...recorded(1))
      .when(note)
      .then(read);
    const repaired = fold(payoutDecider, [announced, ...recorded(1), read]);
    expect(repaired).toMatchObject({ lines, mismatches: [] });
  });

  test('are ignored if the payout has failed', () =>
    given(announced, moved('failed')).when(note).thenNothing());
});

describe('the reconciliation of a payout', () => {
  const reconciled: PayoutEvent = { type: 'PayoutReconciled', matched: 3, exceptions: none, at };
  const note: PayoutCommand = { type: 'NoteReconciliation', matched: 3, exceptions: none, at };

  test('is recorded, and recorded again when its result changes', () => {
    given(announced, read).when(note).then(reconciled);
    given(announced, read, reconciled).when(note).thenNothing();
    const exceptions = { ...none, unknown: 1 };
    given(announced, read, reconciled)
      .when({ ...note, matched: 2, exceptions })
      .then({ ...reconciled, matched: 2, exceptions });
  });

  test('is recorded again after other lines were read, even if its result is the same', () =>
    given(announced, read, reconciled, read).when(note).then(reconciled));

  test('is ignored before the lines of the payout were read', () =>
    given(announced).when(note).thenNothing());
});

describe('a line that differs from the ledger', () => {
  const sent = [announced, read, moved('sent')] as const;
  const accept = {
    type: 'AcceptLine',
    lineKind: 'payment',
    objectId: 'paym_1',
    booked: { amountMinor: 1_999, feesMinor: 21 },
    shown: { amountMinor: 1_999, feesMinor: 24 },
    at,
  } as const;
  const corrected = {
    type: 'PayoutLineCorrected',
    lineKind: 'payment',
    objectId: 'paym_1',
    amountMinor: 0,
    feesMinor: 3,
    at,
  } as const;
  const nothing = { amountMinor: 0, feesMinor: 0 };
  const unknown = { ...accept, booked: nothing } as const;
  const all = { ...corrected, amountMinor: 1_999, feesMinor: 24 } as const;

  test('is accepted by recording the differences of its amount and fee as a correction', () => {
    given(...sent)
      .when(accept)
      .then(corrected);
    given(...sent, moved('paid'))
      .when({ ...accept, shown: { amountMinor: 1_990, feesMinor: 20 } })
      .then({ ...corrected, amountMinor: -9, feesMinor: -1 });
    given(...sent)
      .when(unknown)
      .then(all);
  });

  test('is corrected once if it is accepted twice', () => {
    given(...sent, corrected)
      .when(accept)
      .thenNothing();
    given(...sent, all)
      .when(unknown)
      .thenNothing();
  });

  test('is corrected by the remaining difference if it has changed since it was accepted', () => {
    given(...sent, corrected)
      .when({ ...accept, shown: { amountMinor: 1_999, feesMinor: 22 } })
      .then({ ...corrected, feesMinor: -2 });
    given(...sent, corrected, { ...corrected, feesMinor: -2 })
      .when(accept)
      .then({ ...corrected, feesMinor: 2 });
  });

  test('is corrected back if the ledger has booked its payment since it was accepted', () =>
    given(...sent, all)
      .when(accept)
      .then({ ...corrected, amountMinor: -1_999, feesMinor: -21 }));

  test('is corrected back if the provider has removed it since it was accepted', () =>
    given(...sent, all)
      .when({ ...unknown, shown: nothing })
      .then({ ...corrected, amountMinor: -1_999, feesMinor: -24 }));

  test('is corrected independently of other lines and of other kinds of lines', () => {
    given(...sent, corrected)
      .when({ ...accept, objectId: 'paym_2' })
      .then({ ...corrected, objectId: 'paym_2' });
    given(...sent, { ...corrected, lineKind: 'dispute' })
      .when({ ...accept, lineKind: 'dispute_reversal' })
      .then({ ...corrected, lineKind: 'dispute_reversal' });
  });

  test('is corrected back when the payout fails, because it becomes part of another payout', () => {
    const refund = { ...all, lineKind: 'refund', amountMinor: -500, feesMinor: 0 } as const;
    const back = [
      { ...all, amountMinor: -1_999, feesMinor: -24 },
      { ...refund, amountMinor: 500 },
    ] as const;
    given(...sent, corrected, refund, { ...all, feesMinor: 21 })
      .when(observe(readOf('failed')))
      .then(moved('failed'), back[1], back[0]);
    given(...sent, all, refund, moved('failed'), ...back)
      .when(observe(readOf('failed')))
      .thenNothing();
  });

  test('cannot be accepted in a failed payout', () =>
    given(...sent, moved('failed'))
      .when(accept)
      .thenRejected('payout_failed'));

  test('is accepted also if the lines of the payout are not its totals', () => {
    const other: PayoutEvent = { ...read, lines: { ...lines, refund: NO_LINES } };
    given(announced, other, moved('sent')).when(accept).then(corrected);
  });

  test('cannot be accepted before the payout is sent and all its lines were read', () => {
    for (const before of [
      [announced, read],
      [announced, read, moved('to_pay')],
      [announced, moved('sent')],
    ] as const) {
      given(...before)
        .when(accept)
        .thenRejected('payout_may_change');
    }
  });
});
