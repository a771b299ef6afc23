import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** One supported signature version: recomputes the signature and compares in constant time. */
type Scheme = (signed: SignedContent, transmittedHex: string) => boolean;

interface SignedContent {
  readonly timestamp: string;
  readonly rawBody: Uint8Array;
  readonly key: KeyObject;
}

/** The content of a `Service-Signature` header, before it is verified. */
interface SignatureHeader {
  readonly timestamp: string;
  readonly signatures: readonly { readonly version: number; readonly value: string }[];
}

export interface SignedDelivery {
  /** The `Service-Signature` header as received; undefined if there was none. */
  readonly header: string | undefined;
  /**
   * The bytes of the body as received, because parsing and serialising the JSON could change them.
   */
  readonly rawBody: Uint8Array;
  /** The endpoint's secret, hexadecimal. */
  readonly secret: string;
  /**
   * Wall time in epoch seconds. The age of a signature is not measured in business time, which can
   * be moved.
   */
  readonly nowSeconds: number;
  readonly toleranceSeconds?: number;
}

/**
 * The maximum length of a header that is read: a valid header has about 80 characters for each
 * signature.
 */
const MAX_HEADER_LENGTH = 4_096;
const SHA256_HEX = /^[0-9a-f]{64}$/i;
const SECRET_HEX = /^(?:[0-9a-f]{2})+$/i;
const EPOCH_SECONDS = /^(?:0|[1-9]\d{0,11})$/;
const VERSION = /^v([1-9]\d{0,5})$/;

const verifyV1: Scheme = ({ timestamp, rawBody, key }, transmittedHex) => {
  const computed = createHmac('sha256', key).update(`${timestamp}.`).update(rawBody).digest();
  if (!SHA256_HEX.test(transmittedHex)) return false;
  return timingSafeEqual(computed, Buffer.from(transmittedHex, 'hex'));
};

const SCHEMES: ReadonlyMap<number, Scheme> = new Map([[1, verifyV1]]);

/** Reads `t=…,v1=…,v2=…`; null for any other format, or if there is not exactly one `t`. */
const readHeader = (header: string): SignatureHeader | null => {
  let timestamp: string | null = null;
  const signatures: { version: number; value: string }[] = [];
  for (const pair of header.split(',')) {
    const [, name, value] = /^[ \t]*([^=\s]+)=(\S*)[ \t]*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) return null;
    const version = VERSION.exec(name)?.[1];
    if (version !== undefined) signatures.push({ version: Number(version), value });
    if (name !== 't') continue;
    if (timestamp !== null || !EPOCH_SECONDS.test(value)) return null;
    timestamp = value;
  }
  return timestamp === null ? null : { timestamp, signatures };
};

/**
 * `verifySignature` for any set of supported versions. This function makes the rule "the highest
 * supported version alone decides" testable while v1 is the only version.
 */
export const verifyWith = (
  schemes: ReadonlyMap<number, Scheme>,
  { header, rawBody, secret, nowSeconds, toleranceSeconds = 60 }: SignedDelivery,
): boolean => {
  if (typeof header !== 'string' || header.length > MAX_HEADER_LENGTH) return false;
  if (!SECRET_HEX.test(secret)) return false;
  const read = readHeader(header);
  if (read === null) return false;
  // If the clock is not a number, this comparison is false, and the signature is rejected.
  const isFresh = Math.abs(nowSeconds - Number(read.timestamp)) <= toleranceSeconds;
  if (!isFresh) return false;

  const supported = read.signatures.filter(({ version }) => schemes.has(version));
  const highest = Math.max(...supported.map(({ version }) => version));
  const scheme = schemes.get(highest);
  if (scheme === undefined) return false;
  // Node 24 needs three times as long for an HMAC whose key is a buffer.
  const key = createSecretKey(secret, 'hex');
  const content = { timestamp: read.timestamp, rawBody, key };
  // All signatures are compared, even after a match, so that the duration does not reveal which
  // signature matched.
  const matches = supported
    .filter(({ version }) => version === highest)
    .map(({ value }) => scheme(content, value));
  return matches.includes(true);
};

/**
 * Whether the provider sent this webhook, unaltered and recently
 * (docs/provider/payments.md#events). Only the highest supported version in the header decides: a
 * valid signature of an older version does not make up for a forged signature of a newer version.
 * Unknown versions are skipped. If the highest version occurs twice, because the secret is being
 * rotated, one valid signature is enough. For a malformed header the result is false, never an
 * exception.
 */
export const verifySignature = (delivery: SignedDelivery): boolean => verifyWith(SCHEMES, delivery);
