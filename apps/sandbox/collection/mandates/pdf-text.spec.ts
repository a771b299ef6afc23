import fc from 'fast-check';
import { inFontLetters } from './pdf-text.js';

/** The letters of standard PDF fonts: Western European. */
const isWestern = (letter: string): boolean => /^[ -~À-ÿ]$/.test(letter);

test.each([
  ['Éloïse Müller', 'Éloïse Müller'],
  ['Łucja Żółć', 'Lucja Zólc'],
  ['Παπαδοπούλου', 'Papadopoyloy'],
  ['Щерев', 'SHTerev'],
  ['李 🙂', '? ?'],
])('writes %s as %s', (text, written) => {
  expect(inFontLetters(text, isWestern)).toBe(written);
});

test('writes only letters of the font for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(inFontLetters(text, isWestern)).toMatch(/^[ -~À-ÿ]*$/);
    }),
  );
});
