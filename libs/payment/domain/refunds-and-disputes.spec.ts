import { type Instant, parseInstant, plusMs } from '#kernel';
import { scenario } from '#testing';
import type { ObservedDispute, ObservedRefund } from './observation.js';
import { attempt, back, captured, observationOf, perform, stateOf } from './read-order.fixture.js';
import { CLOCK_SKEW_MS } from './lost-time.js';
import type { PaymentCommand } from './payment-command.js';
import { paymentDecider } from './payment-decider.js';
import { exists } from './payment.js';
import type { PaymentEvent } from './payment-event.js';

const given = scenario(paymentDecider);
const now: Instant = parseInstant('2026-03-03T06:05:00Z');
const createdAt: Instant = parseInstant('2026-03-03T06:04:00Z');

const request = (amountMinor: number | null, requestId = 'rfr_1'): PaymentCommand => ({
  type: 'RequestRefund',
  requestId,
  amountMinor,
  reference: 'return-7',
  reason: null,
  at: now,
});
const asked = (amountMinor: number, requestId = 'rfr_1'): PaymentEvent => ({
  type: 'RefundRequested',
  requestId,
  amountMinor,
  reference: 'return-7',
  reason: null,
  at: now,
});
const unknown: PaymentEvent = { type: 'RequestResultUnknown', request: 'refund', at: now };
const resolved: PaymentEvent = { type: 'RequestResultResolved', request: 'refund', at: now };

const refund = (status: string, change: Partial<ObservedRefund> = {}): ObservedRefund => ({
  refundId: 'refd_1',
  amountMinor: 500,
  currency: 'eur',
  status,
  createdAt,
  ...change,
});
const identity = (requestId: string | null, amountMinor = 500) =>
  ({ refundId: 'refd_1', requestId, amountMinor }) as const;
const observed = (requestId: string | null, amountMinor = 500): PaymentEvent => ({
  type: 'RefundObserved',
  ...identity(requestId, amountMinor),
  createdAt,
  at: now,
});
const succeeded = (requestId: string | null, amountMinor = 500): PaymentEvent => ({
  type: 'RefundSucceeded',
  ...identity(requestId, amountMinor),
  at: now,
});

type Made = { resolves?: 'refund'; precedes?: 'refund' };

const see = (
  refunds: readonly ObservedRefund[],
  made: Made = {},
  disputes: readonly ObservedDispute[] = [],
): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: 'pay_1',
  observation: back(refunds, disputes),
  ...made,
  at: now,
});

const chargeback: ObservedDispute = {
  disputeId: 'dspt_1',
  kind: 'chargeback',
  amountMinor: 1_250,
  currency: 'eur',
  feeMinor: 1_500,
  reasonCode: '4837',
  status: 'open',
  createdAt,
};
const disputed: PaymentEvent = {
  type: 'DisputeObserved',
  disputeId: 'dspt_1',
  kind: 'chargeback',
  amountMinor: 1_250,
  feeMinor: 1_500,
  reasonCode: '4837',
  payerReasonCode: '45',
  createdAt,
  at: now,
};

describe('a refund', () => {
  test('can be requested for the whole captured amount or a part of it', () => {
    given(...captured)
      .when(request(500))
      .then(asked(500));
    given(...captured)
      .when(request(null))
      .then(asked(1_250));
    given(...captured.slice(0, -1))
      .when(request(500))
      .then(asked(500));
  });

  test('changes nothing if it is requested again with the same id', () => {
    given(...captured, asked(500))
      .when(request(500))
      .thenNothing();
  });

  test('is limited to the captured amount that was not refunded yet', () => {
    const first = [...captured, asked(500), observed('rfr_1')];
    given(...captured)
      .when(request(1_251))
      .thenRejected('refund_exceeds_payment');
    given(...first)
      .when(request(751, 'rfr_2'))
      .thenRejected('refund_exceeds_payment');
    given(...first)
      .when(request(null, 'rfr_2'))
      .then(asked(750, 'rfr_2'));
    given(...captured, asked(1_250), observed('rfr_1', 1_250))
      .when(request(1, 'rfr_2'))
      .thenRejected('already_refunded');
  });

  test('can be requested again if the provider did not execute it', () => {
    const failed: PaymentEvent = {
      type: 'RefundFailed',
      outcome: 'failed',
      ...identity('rfr_1', 1_250),
      at: now,
    };
    given(...captured, asked(1_250), observed('rfr_1', 1_250), failed)
      .when(request(null, 'rfr_2'))
      .then({ ...asked(1_250, 'rfr_2'), replaces: 'rfr_1' } as PaymentEvent);
  });

  describe('of the same amount as a refund that the provider did not execute', () => {
    const of = (reference: string | null) => ({ reference }) as const;
    const first = (reference: string | null): readonly PaymentEvent[] => [
      ...captured,
      { ...asked(500), ...of(reference) } as PaymentEvent,
      { type: 'RefundRejected', requestId: 'rfr_1', amountMinor: 500, reason: '409', at: now },
    ];
    const second = (reference: string | null): PaymentCommand =>
      ({ ...request(500, 'rfr_2'), ...of(reference) }) as PaymentCommand;
    const owed = (history: readonly PaymentEvent[]) => {
      const payment = stateOf(history);
      return exists(payment) ? payment.rejectedRefunds : null;
    };

    test.each([
      ['return-17', 'return-18'],
      ['return-17', null],
      [null, 'return-18'],
    ])('does not replace it if their references differ (%s, %s)', (earlier, later) => {
      const requestedNow = { ...asked(500, 'rfr_2'), ...of(later), isSeparate: true };
      given(...first(earlier))
        .when(second(later))
        .then(requestedNow as PaymentEvent);
      expect(owed(perform(first(earlier), second(later)))).toEqual(['rfr_1']);
    });

    test.each(['return-17', null])('replaces it if both have the reference %s', (reference) => {
      const requestedNow = { ...asked(500, 'rfr_2'), ...of(reference), replaces: 'rfr_1' };
      given(...first(reference))
        .when(second(reference))
        .then(requestedNow as PaymentEvent);
      expect(owed(perform(first(reference), second(reference)))).toEqual([]);
    });

    test('replaces the oldest with the same reference', () => {
      const history = perform(first('return-17'), second('return-18'));
      const both = perform(history, {
        type: 'RejectRefund',
        requestId: 'rfr_2',
        reason: '409',
        at: now,
      });
      expect(owed(both)).toEqual(['rfr_1', 'rfr_2']);
      const third = { ...request(500, 'rfr_3'), ...of('return-18') } as PaymentCommand;
      expect(owed(perform(both, third))).toEqual(['rfr_1']);
    });

    test('replaces it if an older release has recorded the request, whatever the references are', () => {
      const recorded = { ...asked(500, 'rfr_2'), ...of('return-18') } as PaymentEvent;
      expect(owed([...first('return-17'), recorded])).toEqual([]);
    });
  });

  test('cannot be requested before the previous refund request was executed or rejected', () => {
    given(...captured, asked(500))
      .when(request(500, 'rfr_2'))
      .thenRejected('refund_in_progress');
    given(...captured, asked(500), unknown)
      .when(request(1, 'rfr_2'))
      .thenRejected('refund_in_progress');
  });

  test('is rejected in every payment state in which the provider would reject the refund', () => {
    const upTo = (count: number) => given(...captured.slice(0, count));
    for (const count of [1, 2, 3]) upTo(count).when(request(1)).thenRejected('not_captured');
    given(...captured.slice(0, 3), { type: 'PaymentCanceled', at: now })
      .when(request(1))
      .thenRejected('payment_ended');
    given(...captured, disputed)
      .when(request(1))
      .thenRejected('payment_disputed');
  });
});

describe('a requested refund', () => {
  test('is matched with a new refund of the same amount if a read made for the request shows the refund, or if the request has an unknown result', () => {
    given(...captured, asked(500))
      .when(see([refund('to_refund')], { resolves: 'refund' }))
      .then(observed('rfr_1'));
    given(...captured, asked(500), unknown)
      .when(see([refund('refunded')]))
      .then(
        observed('rfr_1'),
        { type: 'RefundSent', ...identity('rfr_1'), at: now },
        succeeded('rfr_1'),
        resolved,
      );
  });

  test('is not matched with the refund that an ordinary read shows, unless the request has an unknown result', () => {
    given(...captured, asked(500))
      .when(see([refund('to_refund')]))
      .thenNothing();
  });

  test('is not matched with a refund that existed before the request, or whose amount differs', () => {
    given(...captured, asked(500))
      .when(see([refund('to_refund')], { precedes: 'refund' }))
      .then(observed(null));
    given(...captured, asked(500), unknown)
      .when(see([refund('to_refund', { amountMinor: 400 })]))
      .then(observed(null, 400));
    const earlier = { createdAt: plusMs(now, -CLOCK_SKEW_MS - 1) };
    for (const made of [{}, { resolves: 'refund' }] as const) {
      given(...captured, asked(500), unknown)
        .when(see([refund('to_refund', earlier)], made))
        .then({ ...observed(null), ...earlier } as PaymentEvent);
    }
  });

  test('is not resolved by a read that does not show its refund', () => {
    given(...captured, asked(500), unknown)
      .when(see([], { resolves: 'refund' }))
      .thenNothing();
  });

  test('is matched with the earlier of two equal refunds', () => {
    const second = refund('to_refund', { refundId: 'refd_2' });
    given(...captured, asked(500), unknown)
      .when(see([refund('to_refund'), second]))
      .then(
        observed('rfr_1'),
        {
          type: 'RefundObserved',
          refundId: 'refd_2',
          requestId: null,
          amountMinor: 500,
          createdAt,
          at: now,
        },
        resolved,
      );
  });

  test('is marked as rejected once, and only while it is open', () => {
    const reject: PaymentCommand = {
      type: 'RejectRefund',
      requestId: 'rfr_1',
      reason: '409 disputed',
      at: now,
    };
    const rejected: PaymentEvent = {
      type: 'RefundRejected',
      requestId: 'rfr_1',
      amountMinor: 500,
      reason: '409 disputed',
      at: now,
    };
    given(...captured, asked(500))
      .when(reject)
      .then(rejected);
    given(...captured, asked(500), unknown)
      .when(reject)
      .then(rejected, resolved);
    given(...captured, asked(500), rejected)
      .when(reject)
      .thenNothing();
    given(...captured, asked(500), observed('rfr_1'))
      .when(reject)
      .thenNothing();
  });
});

/** An operator decides that the payer is not owed the refund of 5.00 any longer. */
const giveUp: PaymentCommand = { type: 'GiveUpRefund', requestId: 'rfr_1', at: now };
const givenUp: PaymentEvent = {
  type: 'RefundAbandoned',
  requestId: 'rfr_1',
  amountMinor: 500,
  at: now,
};

describe('a refund that the provider did not execute', () => {
  const rejected: PaymentEvent = {
    type: 'RefundRejected',
    requestId: 'rfr_1',
    amountMinor: 500,
    reason: 'never made',
    at: now,
  };
  const failed: PaymentEvent = {
    type: 'RefundFailed',
    outcome: 'failed',
    ...identity('rfr_1'),
    at: now,
  };
  const again = (requestId: string, replaces: string): PaymentEvent =>
    ({ ...asked(500, requestId), replaces }) as PaymentEvent;
  const rejectedAfter = (...events: readonly PaymentEvent[]): readonly string[] => {
    const payment = [...captured, ...events].reduce(
      paymentDecider.evolve,
      paymentDecider.initialState,
    );
    return exists(payment) ? payment.rejectedRefunds : [];
  };

  test('is listed until it is requested again or abandoned', () => {
    expect(rejectedAfter(asked(500))).toEqual([]);
    expect(rejectedAfter(asked(500), rejected)).toEqual(['rfr_1']);
    expect(rejectedAfter(asked(500), observed('rfr_1'), failed)).toEqual(['rfr_1']);
    expect(rejectedAfter(asked(500), rejected, again('rfr_2', 'rfr_1'))).toEqual([]);
    expect(rejectedAfter(asked(500), rejected, givenUp)).toEqual([]);
  });

  test('is replaced by the next request for the same amount, or by a request that names the failed refund', () => {
    const open = [...captured, asked(500), rejected];
    given(...open)
      .when(request(500, 'rfr_2'))
      .then(again('rfr_2', 'rfr_1'));
    given(...open)
      .when(request(400, 'rfr_2'))
      .then(asked(400, 'rfr_2'));
    given(...open)
      .when({ ...request(500, 'rfr_2'), replaces: 'rfr_1' } as PaymentCommand)
      .then(again('rfr_2', 'rfr_1'));
    given(...open, givenUp)
      .when({ ...request(500, 'rfr_2'), replaces: 'rfr_1' } as PaymentCommand)
      .thenRejected('refund_not_open');
  });

  test('is replaced by the next request for the same amount in events of older releases, which do not name the replaced request', () => {
    const failedThen = [asked(500), observed('rfr_1'), failed] as const;
    expect(rejectedAfter(asked(500), rejected, asked(500, 'rfr_2'))).toEqual([]);
    expect(rejectedAfter(...failedThen, asked(500, 'rfr_2'))).toEqual([]);
    expect(rejectedAfter(asked(500), rejected, asked(400, 'rfr_2'))).toEqual(['rfr_1']);
    given(...captured, asked(500), rejected, asked(500, 'rfr_2'), observed('rfr_2'))
      .when({ ...request(500, 'rfr_3'), replaces: 'rfr_1' } as PaymentCommand)
      .thenRejected('refund_not_open');
  });

  test('is abandoned at most once', () => {
    given(...captured, asked(500), rejected)
      .when(giveUp)
      .then(givenUp);
    given(...captured, asked(500), rejected, givenUp)
      .when(giveUp)
      .thenRejected('refund_not_open');
    given(...captured, asked(500))
      .when(giveUp)
      .thenRejected('refund_not_open');
    given(...captured)
      .when(giveUp)
      .thenRejected('refund_not_open');
  });

  test('is no longer listed after the payer has charged the payment back', () => {
    expect(rejectedAfter(asked(500), rejected, disputed)).toEqual([]);
    expect(rejectedAfter(asked(500), disputed, rejected)).toEqual([]);
  });
});

describe('a refund or dispute at the provider', () => {
  test('is recorded without a request if it was made directly at the provider', () => {
    given(...captured)
      .when(see([refund('to_refund')]))
      .then(observed(null));
  });

  test('is ignored if no capture was sent yet', () => {
    const early: PaymentCommand = {
      type: 'ObservePayment',
      paymentId: 'pay_1',
      at: now,
      observation: { ...observationOf('authorized'), refunds: [refund('to_refund')] },
    };
    given(...captured.slice(0, 3))
      .when(early)
      .thenNothing();
  });

  test('is recorded as a mismatch, once, and otherwise ignored if it exceeds the captured amount', () => {
    const mismatch: PaymentEvent = {
      type: 'PaymentMismatchObserved',
      aspect: 'refund',
      expected: 'at most 1250',
      observed: 'refd_1 1251',
      at: now,
    };
    const tooMuch = see([refund('to_refund', { amountMinor: 1_251 })]);
    given(...captured)
      .when(tooMuch)
      .then(mismatch);
    given(...captured, mismatch)
      .when(tooMuch)
      .thenNothing();
  });

  test('cannot change from one final status to another final status', () => {
    const ended = [...captured, observed(null), succeeded(null)];
    given(...ended)
      .when(see([refund('failed')]))
      .then({
        type: 'PaymentMismatchObserved',
        aspect: 'refund',
        expected: 'refd_1 refunded',
        observed: 'failed',
        at: now,
      });
    given(...ended)
      .when(see([refund('refund_sent')]))
      .thenNothing();
  });

  test('counts as pending and is recorded as a mismatch if its status is unrecognised', () => {
    given(...captured, observed(null))
      .when(see([refund('on_a_journey')]))
      .then({
        type: 'PaymentMismatchObserved',
        aspect: 'refund',
        expected: 'refd_1 to_refund',
        observed: 'on_a_journey',
        at: now,
      });
  });
});

describe('a refund of a direct debit that is returned before its capture', () => {
  const debited: readonly PaymentEvent[] = [
    ...captured.slice(0, 2),
    { type: 'DirectDebitAccepted', attemptId: 'paym_1', mandateId: 'sepa_1', at: now },
    { type: 'CaptureSent', captureId: 'cap_1', at: now },
    asked(500),
  ];
  const unpaid = (...refunds: readonly ObservedRefund[]): PaymentCommand => ({
    type: 'ObservePayment',
    paymentId: 'pay_1',
    at: now,
    observation: { ...observationOf('unpaid', attempt(1, 'refused', 'sepa', 'AM04')), refunds },
  });
  const returned: PaymentEvent = { type: 'DirectDebitReturned', reasonCode: 'AM04', at: now };

  test('fails when the debit is returned', () => {
    given(...debited, observed('rfr_1'))
      .when(unpaid(refund('failed')))
      .then(returned, {
        type: 'RefundFailed',
        outcome: 'failed',
        ...identity('rfr_1'),
        at: now,
      });
  });

  test('can be marked as rejected if the provider never executed it', () => {
    const rejection = { type: 'RejectRefund', requestId: 'rfr_1', reason: '409', at: now } as const;
    given(...debited, unknown, returned)
      .when(rejection)
      .then(
        { type: 'RefundRejected', requestId: 'rfr_1', amountMinor: 500, reason: '409', at: now },
        resolved,
      );
  });
});

describe('a dispute', () => {
  const moved = (status: 'lost' | 'won'): PaymentEvent => ({
    type: 'DisputeStatusChanged',
    disputeId: 'dspt_1',
    status,
    at: now,
  });
  const reversed: PaymentEvent = {
    type: 'DisputeReversed',
    disputeId: 'dspt_1',
    amountMinor: 1_250,
    at: now,
  };
  const seen = (status: string) => see([], {}, [{ ...chargeback, status }]);

  test('is recorded with its real reason code and with the code that the payer may see', () => {
    given(...captured)
      .when(see([], {}, [chargeback]))
      .then(disputed);
    given(...captured, disputed)
      .when(see([], {}, [chargeback]))
      .thenNothing();
  });

  test.each([
    ['1261', '1261'],
    ['1040', '45'],
    ['4863', '45'],
    ['MD06', 'MD06'],
    ['unheard_of', '45'],
  ])('with the reason code %s shows the payer the code %s', (reasonCode, payerReasonCode) => {
    given(...captured)
      .when(see([], {}, [{ ...chargeback, reasonCode }]))
      .then({ ...disputed, reasonCode, payerReasonCode } as PaymentEvent);
  });

  test('is recorded with each new status up to the final one, and its status never moves back', () => {
    given(...captured)
      .when(seen('lost'))
      .then(disputed, moved('lost'));
    given(...captured, disputed, moved('lost'))
      .when(seen('evidence_sent'))
      .thenNothing();
    given(...captured, disputed, moved('lost'))
      .when(seen('won'))
      .then({
        type: 'PaymentMismatchObserved',
        aspect: 'dispute',
        expected: 'dspt_1 lost',
        observed: 'won',
        at: now,
      });
  });

  test('is recorded as a mismatch and ignored if it exceeds the captured amount', () => {
    given(...captured)
      .when(see([], {}, [{ ...chargeback, amountMinor: 1_251 }]))
      .then({
        type: 'PaymentMismatchObserved',
        aspect: 'dispute',
        expected: 'at most 1250',
        observed: 'dspt_1 1251',
        at: now,
      });
  });

  test('that is won returns the disputed amount to the merchant once, without the fee', () => {
    given(...captured, disputed)
      .when(seen('won'))
      .then(moved('won'), reversed);
    given(...captured)
      .when(seen('won'))
      .then(disputed, moved('won'), reversed);
    given(...captured, disputed, moved('won'), reversed)
      .when(seen('won'))
      .thenNothing();
    given(...captured, disputed, moved('won'), reversed)
      .when(seen('open'))
      .thenNothing();
  });

  test('that is won makes a refund that failed earlier owed again; only then can that refund be abandoned', () => {
    const failed: PaymentEvent = {
      type: 'RefundRejected',
      requestId: 'rfr_1',
      amountMinor: 500,
      reason: '409',
      at: now,
    };
    const won = [moved('won'), reversed];
    const before = [...captured, asked(500), failed, disputed];
    given(...before)
      .when(giveUp)
      .thenRejected('refund_not_open');
    given(...before, moved('lost'))
      .when(giveUp)
      .thenRejected('refund_not_open');
    given(...before, ...won)
      .when(giveUp)
      .then(givenUp);
    given(...before, ...won, givenUp)
      .when(giveUp)
      .thenRejected('refund_not_open');
    given(...captured, asked(500), disputed, failed, ...won)
      .when(giveUp)
      .then(givenUp);
  });

  test('of a part of the payment returns that part to the merchant when the dispute is won', () => {
    const part = { ...chargeback, amountMinor: 400 };
    given(...captured, { ...disputed, amountMinor: 400 } as PaymentEvent)
      .when(see([], {}, [{ ...part, status: 'won' }]))
      .then(moved('won'), { ...reversed, amountMinor: 400 } as PaymentEvent);
  });

  test('that an older release recorded as won without the returned amount gets this amount from the next read', () => {
    given(...captured, disputed, moved('won'))
      .when(seen('won'))
      .then(reversed);
  });

  test('that was lost never returns its amount; a later read that shows the dispute as won is recorded as a mismatch', () => {
    given(...captured, disputed, moved('lost'))
      .when(seen('won'))
      .then({
        type: 'PaymentMismatchObserved',
        aspect: 'dispute',
        expected: 'dspt_1 lost',
        observed: 'won',
        at: now,
      });
  });

  test('that is won allows a further dispute of the payment, but no refund', () => {
    const won = [...captured, disputed, moved('won'), reversed];
    const second = { ...chargeback, disputeId: 'dspt_2' };
    given(...won)
      .when(see([], {}, [{ ...chargeback, status: 'won' }, second]))
      .then({ ...disputed, disputeId: 'dspt_2' } as PaymentEvent);
    given(...won)
      .when(request(1))
      .thenRejected('payment_disputed');
  });
});
