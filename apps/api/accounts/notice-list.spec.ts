import { accountAggregate } from '#account';

test('every account event has only one schema version, so that notices can be read without an upcast', () => {
  expect(Object.values(accountAggregate.upcasters).flat()).toEqual([]);
});
