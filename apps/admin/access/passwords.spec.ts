import { hashPassword, provesPassword } from './passwords.js';

/** Hashes made by earlier releases, whose library wrote the parameters in another order. */
const KEPT = [
  [
    'correct horse battery staple',
    '$argon2id$v=19$m=19456,p=1,t=2$YZ4BodC0xkGMeZQdSLyOHg$IbEUA1RiDZUF66VLiGo5BMyu/fhrMLfBohpBethvCzk',
  ],
  [
    'mot de passe très long ✓',
    '$argon2id$v=19$m=19456,p=1,t=2$J/enxL4SRgaMJMzu4q36pw$OoG7PpT4+mlE2xEoGT6wC95BuQwvwrfytvw2vWeCoWQ',
  ],
] as const;

test.each(KEPT)(
  'a password still matches its hash from an earlier release: %s',
  async (password, kept) => {
    expect(await provesPassword(kept, password)).toBe(true);
    expect(await provesPassword(kept, `${password}!`)).toBe(false);
  },
);

test('a password matches only the hash that was made from the password', async () => {
  const kept = await hashPassword('a-good-long-password');
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await provesPassword(kept, 'a-good-long-password')).toBe(true);
  expect(await provesPassword(kept, 'another-long-password')).toBe(false);
  expect(await provesPassword(null, 'a-good-long-password')).toBe(false);
});
