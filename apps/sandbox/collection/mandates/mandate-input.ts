import { DAY_MS, type Instant, instantFromMs, msOf, plusMs, randomText } from '#kernel';
import { invalid } from '../../api/api-error.js';
import type { MandatePatch } from './mandate-resource.js';

const wrongTime = (msg: string): Error =>
  invalid({ loc: ['body', 'signed_at'], msg, type: 'value_error' });

/**
 * When a mandate was signed, by the merchant's word; null when it is not given. Their clock may
 * differ from ours, but nobody signs a day ahead. Throws `ApiError` 422.
 */
export const readSignedAt = (given: MandatePatch['signed_at'], now: Instant): Instant | null => {
  if (given === undefined || given === null) return null;
  const ms = typeof given === 'number' ? given * 1_000 : Date.parse(given);
  if (Number.isNaN(ms)) throw wrongTime('Input should be a time that there is');
  const signedAt = instantFromMs(ms);
  if (msOf(signedAt) < 0) throw wrongTime('Input should be a time from 1970 on');
  if (signedAt > plusMs(now, DAY_MS)) throw wrongTime('Input should not be in the future');
  return signedAt;
};

/** A unique mandate reference of 20 characters, none of which a bank's file would refuse. */
export const newRum = (): string => `RUM${randomText(17).toUpperCase()}`;
