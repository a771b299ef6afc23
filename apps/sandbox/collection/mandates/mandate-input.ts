import { DAY_MS, type Instant, instantFromMs, msOf, plusMs, randomText } from '#kernel';
import { invalid } from '../../api/api-error.js';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import { optionalText, reference } from '../../api/schemas.js';

/** What may be changed of an imported mandate until it is signed. Null: not given. */
export interface MandatePatch {
  readonly rum?: string | null;
  /** Epoch seconds, or a date-time with its zone. */
  readonly signed_at?: number | string | null;
}

export interface MandateCreate extends MandatePatch {
  readonly sepa: string;
}

const PATCH_PROPERTIES = {
  rum: optionalText(1, 24),
  signed_at: {
    anyOf: [
      { type: 'integer', minimum: 0, maximum: 253_402_300_799 },
      { type: 'string', format: 'date-time' },
      { type: 'null' },
    ],
  },
} as const;

export const mandateCreate = checkedBody<MandateCreate>({
  required: ['sepa'], properties: { sepa: reference('sepa'), ...PATCH_PROPERTIES },
});

export const mandatePatch = checkedBody<MandatePatch>({ properties: PATCH_PROPERTIES });

export const mandateList = listQuery<{ readonly customer?: string; readonly sepa?: string }>({
  customer: { type: 'string' }, sepa: { type: 'string' },
});

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
