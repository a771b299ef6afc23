import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const DEMO = fileURLToPath(new URL('demo.mjs', import.meta.url));

interface End {
  readonly code: number | string | null | undefined;
  readonly stderr: string;
}

const demo = (env: Readonly<Record<string, string>>, args = ['--once']): Promise<End> =>
  new Promise((resolve) => {
    const options = { env: { PATH: '', ...env } };
    execFile(process.execPath, [DEMO, ...args], options, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr: stderr.trim() }),
    );
  });

test('the demo reports an invalid PORT_BASE in one sentence that says which values are valid', async () => {
  expect(await demo({ PORT_BASE: 'ninety' })).toEqual({
    code: 1,
    stderr: "PORT_BASE must be a whole number from 1024 to 65500, not 'ninety'.",
  });
});

test('the demo reports an unknown argument by name and starts no program', async () => {
  expect(await demo({}, ['--once', '--foo'])).toEqual({
    code: 1,
    stderr: "Unknown argument '--foo': the demo accepts --once, --reset and --story.",
  });
});

test.each([
  [{ DATABASE_URL: 'postgres://absent@127.0.0.1:9/none' }, 'DATABASE_URL'],
  [{ KAFKA_BROKERS: '127.0.0.1:9' }, 'KAFKA_BROKERS'],
])("the demo refuses to delete data on the user's own servers: %j", async (env, named) => {
  expect(await demo(env as Record<string, string>, ['--reset'])).toEqual({
    code: 1,
    stderr:
      '--reset deletes data of the embedded servers only: ' +
      `delete the data of the server in ${named} yourself, or unset ${named}.`,
  });
});

test('on a machine without Java, the demo says to install Java or to set KAFKA_BROKERS', async () => {
  const { code, stderr } = await demo({});
  expect(code).toBe(1);
  expect(stderr).toBe(
    'Java was not found: install Java 17 (openjdk-17-jre-headless), ' +
      'or set KAFKA_BROKERS to a Kafka of your own.',
  );
});
