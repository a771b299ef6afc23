import { WebhookSecrets } from './webhook-secrets.js';

test('an unknown account id is queried from the database at most once per interval, and the cache of unknown ids has a maximum size', async () => {
  const asked: string[] = [];
  const secrets = new WebhookSecrets({
    byId: (id) => {
      asked.push(id);
      return Promise.resolve(null);
    },
  });
  for (let n = 0; n < 5; n += 1) expect(await secrets.of('acc_unknown')).toBeNull();
  expect(asked).toEqual(['acc_unknown']);
  for (let n = 0; n < 1_000; n += 1) await secrets.of(`acc_${n}`);
  await secrets.of('acc_unknown');
  expect(asked.filter((id) => id === 'acc_unknown')).toHaveLength(2);
});

test.each(['', 'acc_', 'acc_%00', "acc_'", `acc_${'a'.repeat(65)}`, 'order'])(
  'the database is not queried for an invalid account id: %p',
  async (id) => {
    const secrets = new WebhookSecrets({ byId: () => Promise.reject(new Error('was asked')) });
    expect(await secrets.of(id)).toBeNull();
  },
);

test('the secret of a known account is cached for an hour, longer than the absence of an unknown account', async () => {
  const account = {
    id: 'acc_1',
    provider: 'hosted',
    platformId: 'p',
    merchantId: 'm',
    mode: 'test',
    apiKey: 'stest_x',
    webhookEndpointId: 'we_1',
    webhookSecret: 'aa',
  } as const;
  const secrets = new WebhookSecrets({
    byId: (id) => Promise.resolve(id === account.id ? account : null),
  });
  expect(secrets.knows('acc_1')).toBe(false);
  expect(await secrets.of('acc_1')).toBe(account);
  expect(await secrets.of('acc_2')).toBeNull();
  expect([secrets.knows('acc_1'), secrets.knows('acc_2')]).toEqual([true, false]);
});
