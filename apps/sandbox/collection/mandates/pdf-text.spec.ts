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
])('the letters %s are written as %s in a PDF', (text, written) => {
  expect(inFontLetters(text, isWestern)).toBe(written);
});

test('any text is written with only the letters of the PDF font', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(inFontLetters(text, isWestern)).toMatch(/^[ -~À-ÿ]*$/);
    }),
  );
});
