import { createHmac } from 'node:crypto';

/**
 * What tells the same card, account or code again without itself: without the key nobody can try
 * numbers out. A fingerprint is 64 hex digits.
 */
export class Fingerprints {
  constructor(private readonly key: Buffer) {}

  ofCard(number: string, expYear: number, expMonth: number): string {
    return this.of(`${number}|${expYear}-${expMonth}`);
  }

  /** `iban` in its electronic form: capitals and digits only. */
  ofIban(iban: string): string {
    return this.of(`iban|${iban}`);
  }

  /** With the id of the row that holds it, so that equal codes do not look equal. */
  ofCode(rowId: string, code: string): string {
    return this.of(`code|${rowId}|${code}`);
  }

  private of(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }
}
