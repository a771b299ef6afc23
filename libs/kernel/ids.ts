import { randomBytes, randomUUID } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's size that fits a byte: bytes above would favour letters. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** `length` letters and digits from a CSPRNG, each equally likely. */
export const randomText = (length: number): string => {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length + 8)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
};

/** `<prefix>_` and 24 letters and digits, e.g. `ord_3xK…`: about 142 random bits. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;

/** An event's id: a random UUID. */
export const newEventId = (): string => randomUUID();
