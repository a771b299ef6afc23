import { randomFillSync, randomUUID } from 'node:crypto';
import { holdsCardNumber } from './card-number.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's size that fits a byte: no letter is favoured. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** Filled as a whole: asking the system for each id costs more than all the rest of making it. */
const pool = new Uint8Array(4_096);
let used = pool.length;

const randomByte = (): number => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  // A byte is given out once and not kept.
  pool[used] = 0;
  used += 1;
  return byte;
};

/**
 * Draws again while what was drawn holds what may be a card number: one hexadecimal id in some
 * hundreds would be refused at our own doors, and made unreadable in our own logs.
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

/** `length` letters and digits from a CSPRNG, each equally likely; never a card number. */
export const randomText = (length: number): string => drawWithoutCardNumber(() => drawText(length));

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** So many bytes from a CSPRNG in lower-case hexadecimal; may hold a card number by chance. */
export const randomHex = (bytes: number): string => {
  let text = '';
  for (let index = 0; index < bytes; index += 1) text += HEX[randomByte()];
  return text;
};

/** `<prefix>_` and 24 letters and digits, e.g. `ord_3xK…`: about 142 random bits. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;

/** An event's id: a random UUID, of those that hold no card number. */
export const newEventId = (): string => drawWithoutCardNumber(randomUUID);
