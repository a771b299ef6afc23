/**
 * `npm run fuzz [-- --minutes N]`: sends requests to a new sandbox. Some are valid by the sandbox's
 * OpenAPI documents, and some are not. A response with the status 500, or an undocumented response,
 * is a failure.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { startApp } from './infra/apps.mjs';
import { ensureBuild } from './infra/build.mjs';
import { Failure } from './infra/failure.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { ROOT, stateDir } from './infra/paths.mjs';
import { checkDisk, checkNode } from './infra/preflight.mjs';
import { freePort, scratchDir, track } from './infra/processes.mjs';
import { ensurePythonTool } from './infra/python-tool.mjs';
import { bold, say, step } from './infra/say.mjs';
import { startThrowawayPostgres } from './infra/throwaway-servers.mjs';

const DEFAULT_MINUTES = 4;

/** The configuration file, with the checks and the routes that are exempt from a check. */
const CONFIG = join(ROOT, 'tools', 'infra', 'schemathesis.toml');

/**
 * The speed of the sandbox's clock. It is so slow that no webhook is sent, because the fuzzer
 * registers invented webhook URLs.
 */
const CLOCK_RATE = 0.000_001;

const minutesOf = (args) => {
  const [name, value, ...rest] = args;
  const minutes = name === undefined ? DEFAULT_MINUTES : Number(value);
  const isKnown = name === undefined || (name === '--minutes' && rest.length === 0);
  if (isKnown && minutes >= 0.1 && minutes <= 600) return minutes;
  throw new Failure('usage: npm run fuzz [-- --minutes N]');
};

const newKey = (prefix) => `${prefix}${randomBytes(16).toString('hex')}`;

/** @param {string} databaseUrl @param {{ test: string, partner: string }} keys */
const startSandbox = async (databaseUrl, keys) => {
  const databases = join(ROOT, 'dist', 'tools', 'stack', 'databases.js');
  const { freshDatabase } = await import(pathToFileURL(databases).href);
  const port = await freePort();
  const sandbox = await startApp({
    app: 'sandbox',
    port,
    logFile: join(stateDir('logs'), 'fuzz-sandbox.log'),
    env: {
      SANDBOX_DATABASE_URL: await freshDatabase(databaseUrl, 'sandbox'),
      SANDBOX_PORT: String(port),
      SANDBOX_PUBLIC_URL: `http://127.0.0.1:${port}`,
      SANDBOX_TEST_KEY: keys.test,
      SANDBOX_LIVE_KEY: newKey('sprod_'),
      SANDBOX_PARTNERS: `fuzz:${keys.partner}:${newKey('spart_live_')}`,
      LOG_LEVEL: 'warn',
    },
  });
  await fetch(`${sandbox.url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rate: CLOCK_RATE }),
  });
  return sandbox;
};

/** Runs the fuzzer on one document; returns whether all responses were correct. */
const fuzz = (program, { document, key, seconds, dir }) =>
  new Promise((resolve, reject) => {
    const args = [
      '--config-file',
      CONFIG,
      'run',
      document,
      '--auth',
      `${key}:`,
      '--max-time',
      String(seconds),
      '--request-timeout',
      '10',
      '--continue-on-failure',
      '--warnings',
      'off',
      '--suppress-health-check',
      'all',
    ];
    const child = spawn(program, args, { cwd: dir, detached: true, stdio: 'inherit' });
    track(child, { name: 'schemathesis' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });

await runTool(async () => {
  const minutes = minutesOf(process.argv.slice(2));
  checkNode();
  checkDisk();
  const program = join(
    await ensurePythonTool('schemathesis', ['schemathesis==4.32.5']),
    'schemathesis',
  );
  await ensurePackages();
  await ensureBuild();
  const runName = `fuzz-${process.pid}`;
  const { url } = await startThrowawayPostgres(runName);
  const keys = { test: newKey('stest_'), partner: newKey('spart_test_') };
  const sandbox = await step('Sandbox started', () => startSandbox(url, keys));
  const dir = scratchDir(stateDir('run', runName));
  // The payment API gets three quarters of the time, because it has three times as many routes as
  // the onboarding API.
  const targets = [
    { path: '/openapi.json', key: keys.test, seconds: Math.ceil(minutes * 45) },
    { path: '/openapi-onboarding.json', key: keys.partner, seconds: Math.ceil(minutes * 15) },
  ];
  let isClean = true;
  for (const { path, key, seconds } of targets) {
    say(`\n${bold(path)}, ${seconds} s`);
    const document = `${sandbox.url}${path}`;
    isClean = (await fuzz(program, { document, key, seconds, dir })) && isClean;
  }
  if (!sandbox.isRunning())
    throw new Failure('The sandbox ended during the run.', sandbox.logTail(30));
  if (!isClean)
    throw new Failure(
      'The fuzzer found responses that contradict the OpenAPI documents: see above.',
    );
  return 0;
});
