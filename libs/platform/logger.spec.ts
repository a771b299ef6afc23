import { openSync } from 'node:fs';
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
