import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { ROOT, stateDir } from '../../tools/infra/paths.mjs';
import { scratchDir, track } from '../../tools/infra/processes.mjs';
import { ensurePythonTool, pipInstall } from '../../tools/infra/python-tool.mjs';
import { MODELS_GENERATOR } from '../../tools/generate-client-python.js';
import { JPEG, PDF, sellerDetails } from '../../tools/stack/seller.js';
import type { Stack } from '../../tools/stack/stack.js';

/**
 * The packages that the client and its example need, and the tools that generate, build and check
 * it.
 */
const PACKAGES = [
  MODELS_GENERATOR,
  'hatchling==1.33.0',
  'httpx==0.28.1',
  'mypy==1.19.1',
  'standardwebhooks==1.1.0',
];

/** Installs the Python packages; returns the folder with their executables. */
export const pythonPrograms = (): Promise<string> => ensurePythonTool('python-client', PACKAGES);

/** Runs a program to its end; throws its output when it fails. */
const run = (program: string, args: readonly string[]): void => {
  try {
    execFileSync(program, args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
};

/** Builds the client and installs it, as its users do. */
export const installPythonClient = async (bin: string): Promise<void> => {
  const flags = ['--no-deps', '--no-build-isolation', '--force-reinstall'];
  const { code, output } = await pipInstall(bin, ...flags, join(ROOT, 'clients', 'python'));
  if (code !== 0) throw new Error(output);
};

/** The environment of a program that acts as a platform. */
export const programEnv = ({
  apis,
  apiKey,
  merchantId,
}: Stack): Readonly<Record<string, string>> => ({
  API_URL: apis[0]?.url ?? '',
  API_KEY: apiKey,
  MERCHANT_ID: merchantId,
  DETAILS: JSON.stringify(sellerDetails()),
  JPEG: JPEG.toString('base64'),
  PDF: PDF.toString('base64'),
});

const README = join(ROOT, 'clients', 'python', 'README.md');

/** Declares the names that the example in the README uses but does not define. */
const GIVEN = `
from typing import Any
api_key: str
cursor: str
secret: str
headers: dict[str, str]
body: bytes
def store(items: list[Any], cursor: str) -> None: ...
`;

const readmeExample = (): string => {
  const [, example = ''] = /```python\n([^`]*)```/.exec(readFileSync(README, 'utf8')) ?? [];
  const file = join(scratchDir(mkdtempSync(join(stateDir('run'), 'readme-'))), 'readme.py');
  writeFileSync(file, `${GIVEN}${example}`);
  return file;
};

/** Checks the types of the client, of the example in its README, and of programs that use it. */
export const checkPythonTypes = (bin: string, ...programs: readonly string[]): void => {
  const cache = join(ROOT, '.state', 'python-client', 'mypy');
  const client = join(ROOT, 'clients', 'python', 'payment_orchestrator');
  // The check for returned values of type `Any` is disabled, because a method returns the API's
  // response without validation.
  const flags = ['--strict', '--no-warn-return-any', `--cache-dir=${cache}`];
  run(join(bin, 'mypy'), [...flags, client, readmeExample(), ...programs]);
};

/**
 * Runs a Python program, and calls `onLine` with each line that it prints; `reply` writes a line to
 * its standard input.
 */
export const runPython = async (
  bin: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onLine: (line: string, reply: (line: string) => void) => void,
): Promise<void> => {
  const child = spawn(join(bin, 'python'), args, {
    detached: true,
    stdio: 'pipe',
    env: { ...process.env, ...env },
  });
  track(child, { name: 'python' });
  const complaint = text(child.stderr);
  const ended = once(child, 'exit');
  const reply = (line: string) => child.stdin.write(`${line}\n`);
  for await (const line of createInterface({ input: child.stdout })) onLine(line, reply);
  const [code] = await ended;
  if (code !== 0) throw new Error(`exit ${code}: ${await complaint}`);
};
