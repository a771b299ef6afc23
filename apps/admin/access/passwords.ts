import { hash, verify } from '@node-rs/argon2';
import { randomText } from '#kernel';

/** OWASP's recommendation for argon2id and the library's default: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const PASSWORD_CHARS = { min: 12, max: 128 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/** Compared for unknown accounts, so that the response takes as long. */
const nobodysHash = hashPassword(randomText(24));

/** Whether the password matches the hash; without a hash false, in the same time. */
export const provesPassword = async (kept: string | null, password: string): Promise<boolean> => {
  const isRight = await verify(kept ?? (await nobodysHash), password);
  return kept !== null && isRight;
};

/** About 119 random bits, short enough to type. */
export const oneTimePassword = (): string => randomText(20);
