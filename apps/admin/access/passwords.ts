import { hash, verify } from '@node-rs/argon2';
import { randomText } from '#kernel';

/**
 * The cost of argon2id, as OWASP recommends and the library sets by default: 19 MiB, two passes,
 * one lane.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const PASSWORD_CHARS = { min: 12, max: 128 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/**
 * The hash that is compared for an unknown account, so that the response takes as long as for a
 * known account.
 */
const nobodysHash = hashPassword(randomText(24));

/**
 * Whether the password matches the hash. Without a hash the result is false, after the usual time
 * of a comparison.
 */
export const provesPassword = async (kept: string | null, password: string): Promise<boolean> => {
  const isRight = await verify(kept ?? (await nobodysHash), password);
  return kept !== null && isRight;
};

/** Creates a one-time password of about 119 random bits, short enough to type. */
export const oneTimePassword = (): string => randomText(20);
