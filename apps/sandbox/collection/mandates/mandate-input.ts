import { DAY_MS, type Instant, instantFromMs, msOf, plusMs, randomText } from '#kernel';
import { invalid } from '../../api/api-error.js';
import type { MandatePatch } from './mandate-resource.js';

const wrongTime = (msg: string): Error =>
  invalid({ loc: ['body', 'signed_at'], msg, type: 'value_error' });

/**
 * Returns the signature time given by the merchant; null when none is given. The time may be up to
 * a day in the future, because the merchant's clock may be ahead of the sandbox's. Throws
 * `ApiError` 422.
 */
export const readSignedAt = (given: MandatePatch['signed_at'], now: Instant): Instant | null => {
  if (given === undefined || given === null) return null;
  const ms = typeof given === 'number' ? given * 1_000 : Date.parse(given);
  if (Number.isNaN(ms)) throw wrongTime('Input should be a valid time');
  const signedAt = instantFromMs(ms);
  if (msOf(signedAt) < 0) throw wrongTime('Input should be in 1970 or later');
  if (signedAt > plusMs(now, DAY_MS)) throw wrongTime('Input should not be in the future');
  return signedAt;
};

/** Generates a unique mandate reference of 20 characters that are allowed in bank files. */
export const newRum = (): string => `RUM${randomText(17).toUpperCase()}`;
