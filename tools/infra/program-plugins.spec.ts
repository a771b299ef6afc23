import { SourceMap } from 'node:module';
import { runInNewContext } from 'node:vm';
import { withOneByteCharacters, withoutPackages } from './program-plugins.mjs';

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

  test('shows the source of our lines, and none of the lines of a package', () => {
    // The lines 0, 3 and 5 are ours.
    const map = { version: 3, sources: ['ours.ts'], names: [], mappings: 'AAAA;;;AAEA;;AACA;;;' };
    const lines = new SourceMap(JSON.parse(withoutPackages(JSON.stringify(map))));
    const sourceLines = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((line) => {
      const entry = lines.findEntry(line, 10);
      return 'originalLine' in entry ? (entry.originalLine ?? null) : null;
    });
    expect(sourceLines).toEqual([0, null, null, 2, null, 3, null, null, null]);
  });
});
