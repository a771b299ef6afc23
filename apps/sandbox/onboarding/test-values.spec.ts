import { type Harness, startHarness } from '../testing/harness.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

test('the test values of the onboarding API are published with those of the payment API', async () => {
  const values = (await (await fetch(`${sandbox.url}/sandbox/test-values`)).json()) as object[];
  expect(values).toContainEqual(
    expect.objectContaining({
      kind: 'email',
      value: 'terminated@example.test',
      response: 'email-terminated',
    }),
  );
  expect(values).toContainEqual(
    expect.objectContaining({ kind: 'legal-name', value: expect.stringMatching(/REJECT$/) }),
  );
});
