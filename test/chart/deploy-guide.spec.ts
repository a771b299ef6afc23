import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureHelm } from '../../tools/infra/helm.mjs';
import { ROOT, stateDir } from '../../tools/infra/paths.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';
import { blocksOf } from '../../tools/snippets.fixture.js';
import { objectsIn, render } from './rendered.js';

/**
 * Runs the commands of the Kubernetes guide without a cluster. Programs that only record their
 * arguments replace `kubectl` and `docker`, and `helm install` only renders the chart.
 */

const folder = scratchDir(mkdtempSync(join(stateDir('run'), 'deploy-')));
const calls = join(folder, 'calls');

const stub = (name: string, script: string): void => {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/bash\n${script}\n`);
  chmodSync(file, 0o755);
};

const RECORD = `for one in "$@"; do
  case $one in --from-env-file=*) cp "\${one#*=}" "${folder}/stored.env";; esac
done
{ printf '%s\\t' "$(basename "$0")" "$@"; echo; } >> ${calls}`;

const guide = blocksOf(readFileSync(join(ROOT, 'docs', 'guides', 'deploy.md'), 'utf8'));
const [secrets = '', ...otherBash] = guide
  .filter(({ language }) => language === 'bash')
  .map(({ code }) => code);
const [install = '', ...otherSh] = guide
  .filter(({ language }) => language === 'sh')
  .map(({ code }) => code);

const run = (code: string) =>
  promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH']}` },
  });

/** The recorded calls, as lists of words. */
const recorded = (): readonly (readonly string[])[] =>
  readFileSync(calls, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trimEnd().split('\t'));

beforeAll(async () => {
  symlinkSync(join(ROOT, 'deploy'), join(folder, 'deploy'));
  stub('kubectl', `${RECORD}\nif [ "$1" = get ]; then printf super | base64; fi`);
  stub('docker', RECORD);
  const rendering = `set -- template "\${@:2}"\n"${await ensureHelm()}" "$@" > rendered.yaml`;
  stub('helm', `${RECORD}\n${rendering}`);
  await run(secrets);
}, 300_000);
beforeEach(() => {
  expect([otherBash, otherSh]).toEqual([[], []]); // Every block of commands is run here.
});

/** The Secrets that the guide creates, with the values of their keys. */
const created = (): ReadonlyMap<string, Readonly<Record<string, string>>> =>
  new Map(
    recorded()
      .filter(([, verb]) => verb === 'create')
      .map(([, , , , name = '', ...more]) => [
        name,
        Object.fromEntries(
          more
            .filter((one) => one.startsWith('--from-literal='))
            .map((one) => /^--from-literal=([^=]+)=(.*)$/s.exec(one)?.slice(1) ?? []),
        ) as Record<string, string>,
      ]),
  );

test('each role’s password is the same in its Secret and in the file that creates the roles', () => {
  const stored = Object.fromEntries(
    readFileSync(join(folder, 'stored.env'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => /^([^=]+)=(.*)$/.exec(line)?.slice(1) ?? []),
  ) as Record<string, string>;
  expect(new URL(stored['DATABASE_URL'] ?? '').password).toBe('super');
  for (const role of ['owner', 'api', 'worker', 'admin', 'ops']) {
    const url = new URL(created().get(`orchestrator-${role}`)?.['DATABASE_URL'] ?? '');
    expect([url.username, url.password]).toEqual([
      `orchestrator_${role}`,
      stored[`ORCHESTRATOR_${role.toUpperCase()}_PASSWORD`],
    ]);
  }
  expect(existsSync(join(folder, 'roles.env'))).toBe(false);
});

test('the guide creates each Secret of ours that a process of the release reads', async () => {
  const OF_OPERATORS = ['log-ca', 'bus-cluster-ca-cert', 'worker', 'payments-example-tls'];
  const read = objectsIn(await render('production'))
    .flatMap(({ spec }) => spec?.template?.spec.volumes ?? [])
    .flatMap(({ projected }) => projected?.sources ?? [])
    .flatMap(({ secret }) => secret.items.map(({ key }) => [secret.name, key] as const))
    .filter(([name]) => !OF_OPERATORS.includes(name));
  expect(read.length).toBeGreaterThan(4);
  for (const [name, key] of read)
    expect([name, created().get(name)?.[key]]).toEqual([name, expect.any(String)]);
});

test('the command that installs the release renders the chart of this checkout', async () => {
  await run(install);
  const [build, push, helm] = recorded().slice(-3);
  expect([build?.[0], push?.[0], helm?.[1]]).toEqual(['docker', 'docker', 'install']);
  expect(build?.[3]).toBe(push?.[2]);
  const images = objectsIn(readFileSync(join(folder, 'rendered.yaml'), 'utf8')).flatMap(
    ({ spec }) => spec?.template?.spec.containers.map(({ image }) => image) ?? [],
  );
  expect(new Set(images)).toEqual(new Set([push?.[2]]));
});
