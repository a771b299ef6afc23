import fc from 'fast-check';
import { inFontLetters } from './pdf-text.js';

/** As the fonts that every reader has: Western European letters. */
const isWestern = (letter: string): boolean => /^[ -~À-ÿ]$/.test(letter);

test.each([
  ['Éloïse Müller', 'Éloïse Müller'],
  ['Łucja Żółć', 'Lucja Zólc'],
  ['Παπαδοπούλου', 'Papadopoyloy'],
  ['Щерев', 'SHTerev'],
  ['李 🙂', '? ?'],
])('%s is written %s', (text, written) => {
  expect(inFontLetters(text, isWestern)).toBe(written);
});

test('whatever the text, only letters of the font are written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(inFontLetters(text, isWestern)).toMatch(/^[ -~À-ÿ]*$/);
    }),
  );
});
