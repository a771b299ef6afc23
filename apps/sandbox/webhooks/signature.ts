import { createHmac, createSecretKey } from 'node:crypto';

/**
 * The `Service-Signature` header: the real time in epoch seconds, and HMAC-SHA256 in hex over
 * `<t>.<body>` keyed with the hex-decoded secret. See docs/provider/payments.md#events.
 */
export const signatureHeader = (body: string, secretHex: string, wallMs: number): string => {
  const t = Math.floor(wallMs / 1_000);
  // Node 24 needs three times as long for an HMAC whose key is a buffer.
  const key = createSecretKey(secretHex, 'hex');
  return `t=${t},v1=${createHmac('sha256', key).update(`${t}.${body}`).digest('hex')}`;
};
