import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programFile } from './infra/programs.mjs';

const AWAY = { DATABASE_URL: 'postgres://us@127.0.0.1:9/us', KAFKA_BROKERS: '127.0.0.1:9' };

const run = (tool: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [programFile(tool), ...args], {
    env: { ...process.env, ...AWAY },
  });

test('a tool reports the host and port of a database that does not respond in one sentence', async () => {
  const away = {
    code: 1,
    stderr: '127.0.0.1:9 does not respond (ECONNREFUSED): check DATABASE_URL and KAFKA_BROKERS\n',
  };
  await Promise.all([
    expect(run('ops', 'requests')).rejects.toMatchObject(away),
    expect(run('migrate', 'orchestrator')).rejects.toMatchObject(away),
  ]);
});

test('a tool reports an unknown option by name, without a stack trace', async () => {
  await expect(run('ops', 'requests', '--everything')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Unknown option '--everything'[^\n]*\n$/) as unknown,
  });
});
