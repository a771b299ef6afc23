import { accountAggregate } from '#account';

test('account events have one schema version each, so notices read them without an upcast', () => {
  expect(Object.values(accountAggregate.upcasters).flat()).toEqual([]);
});
