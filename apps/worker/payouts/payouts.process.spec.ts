import { PayoutsBench } from './payouts-bench.fixture.js';

let bench: PayoutsBench;
beforeAll(async () => {
  bench = await PayoutsBench.open();
});
afterAll(() => bench.close());

test('the jobs of a new account are due immediately, even if the business clock stands still', async () => {
  expect(await bench.dueIn()).toMatchObject({ due: 5 });
});
