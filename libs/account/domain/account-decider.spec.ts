import { HOUR_MS, parseInstant, plusMs } from '#kernel';
import { scenario } from '#testing';
import type { AccountCommand } from './account-command.js';
import { accountDecider } from './account-decider.js';
import type { AccountEvent } from './account-event.js';

const given = scenario(accountDecider);
const at = parseInstant('2026-03-02T06:00:00Z');
const hours = (count: number) => plusMs(at, count * HOUR_MS);
const terms = { platformId: 'shop', merchantId: 'm1', mode: 'live' } as const;

const first: AccountEvent = {
  type: 'ProviderAccountRegistered',
  ...terms,
  ordersFrom: at,
  notBefore: null,
  at,
};
const waiting: AccountEvent = { ...first, ordersFrom: null };
const approved: AccountEvent = { type: 'ProviderAccountApproved', ordersFrom: hours(24), at };
const disabled: AccountEvent = { type: 'ProviderAccountDisabled', at: hours(1) };
const registers = (isFirst: boolean, notBefore = hours(48)): AccountCommand => ({
  type: 'RegisterAccount',
  ...terms,
  isFirst,
  notBefore,
  at,
});
const approves = (hour: number, coolingOff = 24): AccountCommand => ({
  type: 'ApproveAccount',
  coolingOffMs: coolingOff * HOUR_MS,
  at: hours(hour),
});

describe('a registered account', () => {
  test('is used by new orders immediately if it is the first account of its merchant', () =>
    given().when(registers(true)).then(first));

  test('is used by new orders only after approval if the merchant already has an account', () =>
    given()
      .when(registers(false))
      .then({ ...waiting, notBefore: hours(48) }));

  test('is not changed by a second registration', () => {
    given(first).when(registers(false)).thenNothing();
    given(waiting).when(registers(true)).thenNothing();
  });
});

describe('an approved account', () => {
  test('is used by new orders after the cooling-off period', () => {
    given(waiting).when(approves(0)).then(approved);
    given(waiting)
      .when(approves(0, 0))
      .then({ ...approved, ordersFrom: at });
  });

  test('is not used by new orders before the date requested at its registration', () =>
    given({ ...waiting, notBefore: hours(48) })
      .when(approves(0))
      .then({ ...approved, ordersFrom: hours(48) }));

  test('cannot be approved again before its first use by orders', () =>
    given(waiting, approved).when(approves(23)).thenRejected('already_approved'));

  test('can be approved again after its first use by orders, even if it has been disabled since', () => {
    const again = { ...approved, ordersFrom: hours(49), at: hours(25) };
    given(waiting, approved).when(approves(25)).then(again);
    given(first, disabled).when(approves(25)).then(again);
  });
});

describe('a rotated account key', () => {
  test('is recorded, in every status of the account, with the proof that the old and the new key belong to the same account', () => {
    const proof = { provenBy: 'payment_intent', objectId: 'pi_1', at: hours(2) } as const;
    for (const history of [[first], [waiting], [first, disabled]]) {
      given(...history)
        .when({ type: 'RotateKey', ...proof })
        .then({ type: 'ProviderAccountKeyRotated', ...proof });
    }
  });
});

describe('a provider account', () => {
  const withdraws: AccountCommand = { type: 'WithdrawAccount', at: hours(1) };
  const disables: AccountCommand = { type: 'DisableAccount', at: hours(1) };

  test('can be withdrawn until orders use it', () => {
    given(waiting).when(withdraws).then(disabled);
    given(waiting, approved).when(withdraws).then(disabled);
    given(first).when(withdraws).thenRejected('account_in_use');
    given(waiting, approved)
      .when({ ...withdraws, at: hours(24) })
      .thenRejected('account_in_use');
  });

  test('can be disabled in every status except disabled', () => {
    given(first).when(disables).then(disabled);
    given(waiting).when(disables).then(disabled);
    given(first, disabled).when(disables).thenRejected('account_disabled');
    given(waiting, disabled).when(withdraws).thenRejected('account_disabled');
  });
});
