import { randomFillSync, randomUUID } from 'node:crypto';
import { holdsCardNumber } from './card-number.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/**
 * Random bytes from this value on are not used: it is the largest multiple of the alphabet's size
 * in a byte, so all letters are equally likely.
 */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/**
 * Random bytes are generated for many ids together, because one system call per id would dominate
 * the cost.
 */
const pool = new Uint8Array(4_096);
let used = pool.length;

const randomByte = (): number => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  // Each random byte is used once and then overwritten.
  pool[used] = 0;
  used += 1;
  return byte;
};

/**
 * Repeats `draw` until its text does not look like a card number. About one of several hundred
 * hexadecimal ids looks like a card number; such an id would be rejected by the input checks and
 * masked in logs.
 */
export const drawWithoutCardNumber = (draw: () => string): string => {
  for (;;) {
    const drawn = draw();
    if (!holdsCardNumber(drawn)) return drawn;
  }
};

const drawText = (length: number): string => {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < FAIR_BYTES) text += ALPHABET[byte % ALPHABET.length];
  }
  return text;
};

/** `length` letters and digits from a CSPRNG, all equally likely; never a card number. */
export const randomText = (length: number): string => drawWithoutCardNumber(() => drawText(length));

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Random bytes from a CSPRNG in lower-case hexadecimal; they may look like a card number by chance.
 */
export const randomHex = (bytes: number): string => {
  let text = '';
  for (let index = 0; index < bytes; index += 1) text += HEX[randomByte()];
  return text;
};

/** `<prefix>_` and 24 letters and digits, e.g. `ord_3xK…`: about 142 random bits. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;

/** An event id: a random UUID that does not look like a card number. */
export const newEventId = (): string => drawWithoutCardNumber(randomUUID);
