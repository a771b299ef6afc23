import { createHmac } from 'node:crypto';

/**
 * What tells the same card or account again without its number: without the key nobody can try
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

  private of(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }
}
