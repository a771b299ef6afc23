import { OnboardingFlow } from '../support/onboarding-flow.js';

describe('with two apps, each with api and worker', () => {
  let onboarding: OnboardingFlow;

  beforeAll(async () => {
    onboarding = await OnboardingFlow.start({ shape: 'one', workers: 2 });
  });
  afterAll(() => onboarding.stop(), 60_000);

  const sandbox = () => onboarding.flow.stack.sandbox;

  test('a merchant gets API keys and accepts orders once its company is available, and accepts none once it is closed', async () => {
    // In the evening, but not close to midnight: requests with a revoked key are repeated each hour
    // until the history shows the reason after midnight.
    await sandbox().advance('PT7H');
    const id = await onboarding.draft();
    const { companyId } = await onboarding.registered(id);
    await onboarding.setStatus(companyId, 'available');
    await sandbox().advance('P1D');
    const opened = await onboarding.merchant(id);
    expect(opened).toMatchObject({
      status: 'available',
      ordersEnabled: true,
      accounts: [{ mode: 'test' }],
    });
    // The history shows only the last status of a day, so it does not show the end of the contract,
    // at which the provider has revoked the key.
    await onboarding.setStatus(companyId, 'closed');
    await onboarding.setStatus(companyId, 'available');
    await sandbox().advance('P1D');
    const types = await onboarding.types(id);
    expect(types.filter((type) => type === 'AccountAttached')).toHaveLength(2);
    expect(await onboarding.merchant(id)).toMatchObject({ ordersEnabled: true });
    await onboarding.setStatus(companyId, 'closing');
    await sandbox().advance('P1D');
    expect(await onboarding.merchant(id)).toMatchObject({
      status: 'closing',
      ordersEnabled: false,
    });
  });
});
