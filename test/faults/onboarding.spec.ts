import { waitFor } from '#testing';
import type { FaultKind } from '../../tools/stack/sandbox.js';
import { OnboardingFlow } from '../support/onboarding-flow.js';
import { startWithSandboxHere } from '../support/sandbox-here.js';

/**
 * Tests that exactly one company exists in the end if the response to its creation is lost, whether
 * or not the provider executed the request.
 */

const CREATE = 'POST /api/partners/company';
const HISTORY = 'GET /api/partners/company-status-history';

let onboarding: OnboardingFlow;

beforeAll(async () => {
  onboarding = await OnboardingFlow.start({ startApp: startWithSandboxHere });
  // One minute of business time takes one second of real time, because polls are minutes of
  // business time apart.
  await onboarding.flow.stack.sandbox.setRate(60);
});
afterAll(() => onboarding.stop());

const fault = (route: string, kind: FaultKind, count = 1, delayMs = 1_000): Promise<void> =>
  onboarding.flow.stack.sandbox.addFault({ route, kind, count, delayMs });

const companies = async (): Promise<number> =>
  (await onboarding.history('2020-01-01', await onboarding.day(3))).length;

const oneMore = async (act: () => Promise<void>): Promise<void> => {
  const before = await companies();
  await act();
  expect(await companies()).toBe(before + 1);
};

test('when the response to the creation request is lost, polling finds the company', () =>
  oneMore(async () => {
    await fault(CREATE, 'drop_after');
    const id = await onboarding.draft();
    expect(await onboarding.registered(id)).toMatchObject({ unknown: [] });
    expect(await onboarding.flow.haveAllFaultsHit()).toBe(true);
  }));

test('polling finds the created company even if the status history is unavailable for a while', () =>
  oneMore(async () => {
    await fault(CREATE, 'drop_after');
    await fault(HISTORY, 'status_500', 5);
    await onboarding.registered(await onboarding.draft());
  }));

test('when the creation request is lost, the result stays unknown until an operator resolves it; then the company is created', () =>
  oneMore(async () => {
    await fault(CREATE, 'drop_before');
    const id = await onboarding.draft();
    await onboarding.merchantIs(
      id,
      (merchant) => merchant.status === 'requested' && merchant.unknown.includes('create_company'),
    );
    await onboarding.resolveAbsent(id);
    await onboarding.registered(id);
  }));

test('when the provider refuses the creation request with status 429, the worker sends the request again', () =>
  oneMore(async () => {
    await fault(CREATE, 'status_429');
    await onboarding.registered(await onboarding.draft());
  }));

test('the creation request is sent once even if the worker is killed while it waits for the response', () =>
  oneMore(async () => {
    await fault(CREATE, 'delay', 1, 5_000);
    const id = await onboarding.draft();
    await waitFor(() => onboarding.flow.haveAllFaultsHit(), { timeoutMs: 20_000 });
    const [worker] = onboarding.flow.stack.workers;
    await worker?.kill9();
    await worker?.restart();
    await onboarding.merchantIs(
      id,
      (merchant) => merchant.status !== 'none' && merchant.unknown.includes('create_company'),
    );
    await onboarding.resolveAbsent(id);
    await onboarding.registered(id);
  }));
