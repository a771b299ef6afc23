import { gate } from '#testing';
import { AccountShares } from './account-shares.js';

test('an account that has its share is passed over until one of its jobs has ended', async () => {
  let roomy = 0;
  const shares = new AccountShares(2, () => {
    roomy += 1;
  });
  const first = gate();
  const second = gate();
  expect(shares.room(8)).toBe(2);
  const one = shares.during('acc_1', () => first.opened);
  expect([shares.full(), shares.room(8)]).toEqual([[], 1]);
  const two = shares.during('acc_1', () => second.opened);
  expect([shares.full(), shares.room(8)]).toEqual([['acc_1'], 2]);
  first.open();
  await one;
  expect([shares.full(), roomy]).toEqual([[], 1]);
  second.open();
  await two;
  expect([shares.load().accounts, roomy]).toEqual([[], 1]);
});

test('what is done for no account takes no share, and what fails gives its share back', async () => {
  const shares = new AccountShares(1, () => undefined);
  await shares.during(null, () => Promise.resolve(expect(shares.full()).toEqual([])));
  await expect(shares.during('acc_1', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(shares.full()).toEqual([]);
});
