import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { backgroundOutput } from './logger.js';

test('the logger drops lines above a limit while its output is blocked', async () => {
  const output = backgroundOutput(openSync('/dev/null', 'w'));
  const closed = new Promise((resolve) => output.once('close', resolve));
  let dropped = 0;
  output.on('drop', () => (dropped += 1));
  const line = `${'x'.repeat(1_023)}\n`;
  const lines = 20_000;
  for (let index = 0; index < lines; index += 1) output.write(line);
  expect(dropped).toBeGreaterThan(lines / 10);
  expect(dropped).toBeLessThan(lines);
  output.end();
  await closed;
});

test('the logger writes the lines of a short time together', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'logger-'));
  const file = join(folder, 'log');
  const output = backgroundOutput(openSync(file, 'w'));
  const written = () => readFileSync(file, 'utf8');
  output.write('one\n');
  output.write('two\n');
  expect(written()).toBe('');
  while (written() === '') await setTimeout(5);
  expect(written()).toBe('one\ntwo\n');
  output.write('three\n');
  output.flushSync();
  expect(written()).toBe('one\ntwo\nthree\n');
  rmSync(folder, { recursive: true });
});
