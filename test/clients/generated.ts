import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, stateDir } from '../../tools/infra/paths.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';
import { ensurePythonTool } from '../../tools/infra/python-tool.mjs';

const PROGRAMS = join(dirname(fileURLToPath(import.meta.url)), 'programs');
const DOCUMENT = join(ROOT, 'docs', 'generated', 'openapi.api.json');
const PYTHON_GENERATOR = ['openapi-python-client', '0.29.1'] as const;

/** The command that starts a program with a generated client. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** Runs a program; throws its output when it fails. */
const run = (program: string, args: readonly string[], cwd: string): string => {
  // PATH contains the generator's folder, because the Python generator calls a formatter that is
  // installed there.
  const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env['PATH']}` };
  try {
    return execFileSync(program, args, {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? ''}`, {
      cause: error,
    });
  }
};

/**
 * A temporary folder inside the checkout, so that the clients can import its packages; deleted when
 * this process ends.
 */
const folder = (): string => scratchDir(mkdtempSync(join(stateDir('run'), 'client-')));

const STRICT = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
};

export const typescriptClient = (): Command => {
  const dir = folder();
  const tool = (...path: string[]): string => join(ROOT, 'node_modules', ...path);
  run(
    process.execPath,
    [
      tool('openapi-typescript', 'bin', 'cli.js'),
      DOCUMENT,
      '--output',
      join(dir, 'schema.ts'),
      // A field with a default may be omitted from a request.
      '--default-non-nullable=false',
    ],
    dir,
  );
  copyFileSync(join(PROGRAMS, 'shop.ts'), join(dir, 'shop.ts'));
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    join(dir, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { ...STRICT, typeRoots: [tool('@types')] },
      files: ['shop.ts'],
    }),
  );
  run(process.execPath, [tool('typescript', 'bin', 'tsc'), '-p', dir], dir);
  return { program: process.execPath, args: [join(dir, 'shop.js')] };
};

export const pythonClient = async (): Promise<Command> => {
  const bin = await ensurePythonTool(...PYTHON_GENERATOR);
  const dir = folder();
  run(
    join(bin, PYTHON_GENERATOR[0]),
    [
      'generate',
      '--path',
      DOCUMENT,
      '--output-path',
      join(dir, 'shop_client'),
      '--meta',
      'none',
      '--fail-on-warning',
    ],
    dir,
  );
  copyFileSync(join(PROGRAMS, 'shop.py'), join(dir, 'shop.py'));
  run(join(bin, 'python'), ['-m', 'compileall', '-q', dir], dir);
  return { program: join(bin, 'python'), args: [join(dir, 'shop.py')] };
};
