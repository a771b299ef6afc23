import { execFile } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BackgroundOutput } from './logger.js';

/** Lets a process import TypeScript. */
const REGISTER = join(import.meta.dirname, '..', '..', 'tools', 'infra', 'specs', 'register.mjs');

describe('an output in the background', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  const path = join(folder, 'lines.log');
  const written = (): string => readFileSync(path, 'utf8');
  let output: BackgroundOutput;

  beforeEach(() => {
    output = new BackgroundOutput(openSync(path, 'w'));
  });
  afterEach(async () => {
    const closed = new Promise((resolve) => output.file.once('close', resolve));
    output.end();
    await closed;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('lines that are logged in quick succession are written together', async () => {
    const sizes: number[] = [];
    const all = new Promise<void>((resolve) => {
      output.file.on('write', (size: number) => {
        sizes.push(size);
        resolve();
      });
    });
    output.write('one\n');
    output.write('two\n');
    expect(written()).toBe('');
    await all;
    expect(written()).toBe('one\ntwo\n');
    expect(sizes).toEqual([8]);
  });

  test.each([
    ['exits', 'process.exit(3)', 3],
    ['ends by an unhandled error', 'throw new Error("unhandled")', 1],
    ['has nothing more to do', 'process.exitCode = 4', 4],
  ])('the waiting lines are written when the process %s', async (_how, end, code) => {
    const program = `
      import { createLogger } from '${join(import.meta.dirname, 'logger.ts')}';
      createLogger('test').info('last line');
      ${end};`;
    const args = ['--import', REGISTER, '--input-type=module', '--eval', program];
    const failure: unknown = await promisify(execFile)(process.execPath, args).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code, stdout: expect.stringContaining('last line') });
  });

  test('lines above a limit are dropped while the output is blocked', () => {
    let dropped = 0;
    output.file.on('drop', (group: string) => (dropped += group.length));
    const line = `${'x'.repeat(1_023)}\n`;
    const lines = 20_000;
    for (let index = 0; index < lines; index += 1) output.write(line);
    expect(dropped).toBeGreaterThan((lines * line.length) / 10);
    expect(dropped).toBeLessThan(lines * line.length);
  });
});
