import { zxcvbn, zxcvbnOptions } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** The minimum zxcvbn score, which stands for more than 10^8 guesses. */
const MIN_SCORE = 3;
/**
 * The number of characters of a password that are rated, because the time that zxcvbn takes grows
 * with the length.
 */
const READ_CHARS = 64;
const WORDS_OF_OURS = ['console', 'payment', 'payments', 'orchestrator'];

zxcvbnOptions.setOptions({
  dictionary: { ...dictionary, ours: WORDS_OF_OURS },
  graphs: adjacencyGraphs,
  maxLength: READ_CHARS,
});

/**
 * Whether a password is easy to guess: it is common, follows a pattern or contains the user's name.
 */
export const isEasilyGuessed = (password: string, name: string): boolean =>
  zxcvbn(password, [name]).score < MIN_SCORE;
