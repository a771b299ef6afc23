import { accountAggregate } from '#account';

test('every account event has only one schema version, so the list of notices reads it without an upcast', () => {
  expect(Object.values(accountAggregate.upcasters).flat()).toEqual([]);
});
