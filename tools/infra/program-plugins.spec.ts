import { runInNewContext } from 'node:vm';
import { withOneByteCharacters } from './program-plugins.mjs';

describe('a bundled program', () => {
  const programs = [
    "'a payer’s card'",
    '`${1} – “quoted”`',
    String.raw`'one backslash \’, two \\’'`,
    "'Łódź'.replace(/[А-Яł]/u, '…')",
    "'😀'.match(/[😀-😎]/u)[0]",
  ];

  test.each(programs)('has only one-byte characters, and the values of its source: %s', (code) => {
    const escaped = withOneByteCharacters(code);
    expect(escaped).not.toMatch(/[\u0100-\uFFFF]/);
    expect(runInNewContext(escaped)).toBe(runInNewContext(code));
  });

  test('is not built if it contains a raw string that the escapes would change', () => {
    expect(() => withOneByteCharacters('String.raw`a’b`')).toThrow('use a plain text');
  });
});
