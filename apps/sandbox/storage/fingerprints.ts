import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * Keyed hashes that recognise a card, bank account or code without storing it; without the key,
 * hashing all possible values does not reveal the value. A fingerprint is 64 hex digits.
 */
export class Fingerprints {
  private readonly key: KeyObject;

  constructor(key: Buffer) {
    // Node 24 needs three times as long for an HMAC whose key is a buffer.
    this.key = createSecretKey(key);
  }

  ofCard(number: string): string {
    return this.of(`card|${number}`);
  }

  /** `iban` in electronic form: capitals and digits only. */
  ofIban(iban: string): string {
    return this.of(`iban|${iban}`);
  }

  /** The hash includes the row's id, so that equal codes have different fingerprints. */
  ofCode(rowId: string, code: string): string {
    return this.of(`code|${rowId}|${code}`);
  }

  private of(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }
}
