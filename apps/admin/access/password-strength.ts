import { zxcvbn, zxcvbnOptions } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** The minimum zxcvbn score, which stands for more than 10^8 guesses. */
const MIN_SCORE = 3;
/** The number of characters that are estimated, because the time grows with the length. */
const READ_CHARS = 64;
const WORDS_OF_OURS = ['console', 'payment', 'payments', 'orchestrator'];

zxcvbnOptions.setOptions({
  dictionary: { ...dictionary, ours: WORDS_OF_OURS },
  graphs: adjacencyGraphs,
  maxLength: READ_CHARS,
});

/**
 * Whether a password is common or follows a pattern; a password with the user's name counts as easy
 * to guess.
 */
export const isEasilyGuessed = (password: string, name: string): boolean =>
  zxcvbn(password, [name]).score < MIN_SCORE;
