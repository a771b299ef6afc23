import { accountAggregate } from '#account';

test('account events have only one schema version, so notices read them without an upcast', () => {
  expect(Object.values(accountAggregate.upcasters).flat()).toEqual([]);
});
