import { accountAggregate } from '#account';

test('events of accounts have one schema each: notices are read as they were written', () => {
  expect(Object.values(accountAggregate.upcasters).flat()).toEqual([]);
});
