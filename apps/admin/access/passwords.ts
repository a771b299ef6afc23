import { hash, verify } from '@node-rs/argon2';
import { randomText } from '#kernel';

/** OWASP's first recommendation for argon2id, which is the library's default: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const PASSWORD_CHARS = { min: 12, max: 128 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/** What is compared where there is no such account, so that it takes as long. */
const nobodysHash = hashPassword(randomText(24));

/** Whether the password is that of the hash; of no hash it is never, after as long a time. */
export const provesPassword = async (kept: string | null, password: string): Promise<boolean> => {
  const isRight = await verify(kept ?? (await nobodysHash), password);
  return kept !== null && isRight;
};

/** About 119 random bits, to be typed once. */
export const oneTimePassword = (): string => randomText(20);
