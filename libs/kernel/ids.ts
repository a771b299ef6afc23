import { randomFillSync, randomUUID } from 'node:crypto';
import { holdsCardNumber } from './card-number.js';

/** The letters and digits of ids, in the order in which PostgreSQL sorts them. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * Random bytes from this value on are not used. The value is a multiple of the alphabet's size, so
 * all letters and digits are equally likely.
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
 * Repeats `draw` until its text does not look like a card number. About one of two thousand
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

/**
 * The number of letters and digits for the time: enough for several thousand years in milliseconds.
 */
const TIME_LETTERS = 8;

/** Milliseconds since 1970 as 8 letters and digits, which sort like the numbers. */
const timeText = (ms: number): string => {
  let text = '';
  for (let rest = ms; text.length < TIME_LETTERS; rest = Math.floor(rest / ALPHABET.length)) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`;
  }
  return text;
};

/**
 * `<prefix>_` and 24 letters and digits, e.g. `ord_0Vhr3kQ2…`: the time in milliseconds, then about
 * 95 random bits. Ids of about the same time are neighbours in an index, so that a database of many
 * years writes to few of its pages.
 * @see docs/adr/0034-ids-begin-with-their-time.md
 */
export const newId = (prefix: string): string =>
  `${prefix}_${drawWithoutCardNumber(() => `${timeText(Date.now())}${drawText(16)}`)}`;

/** A UUID of version 7: the time in milliseconds, then 74 random bits of a UUID of version 4. */
const drawUuid = (): string => {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};

/** The id of an event: a UUID of version 7 that does not look like a card number. */
export const newEventId = (): string => drawWithoutCardNumber(drawUuid);
