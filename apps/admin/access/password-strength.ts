import { zxcvbn, zxcvbnOptions } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Of zxcvbn: guessed after more than 10^8 tries, common passwords and patterns first. */
const LEAST_SCORE = 3;
/** Estimating takes longer the longer the text; what is strong up to here stays strong. */
const READ_CHARS = 64;
const WORDS_OF_OURS = ['console', 'payment', 'payments', 'orchestrator'];

zxcvbnOptions.setOptions({
  dictionary: { ...dictionary, ours: WORDS_OF_OURS },
  graphs: adjacencyGraphs,
  maxLength: READ_CHARS,
});

/** Whether a password is common or follows from a pattern, its user's name being known. */
export const isEasilyGuessed = (password: string, name: string): boolean =>
  zxcvbn(password, [name]).score < LEAST_SCORE;
