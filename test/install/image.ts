import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { developmentCertificate } from '#testing';
import { ROOT } from '../../tools/infra/paths.mjs';
import { scratchDir, supervise, type Supervised } from '../../tools/infra/processes.mjs';
import { executeSteps, LAST_STAGE, readDockerfile, type Stage } from './dockerfile.js';

type Environment = Readonly<Record<string, string>>;

/**
 * The mode of the image's folders: writable only by the owner, and readable by all users, because
 * another user runs the programs.
 */
const OPEN = 0o755;
const READABLE = 0o644;
const WRITABLE = 0o777;
const UNPRIVILEGED_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const COMPOSE = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

/**
 * The environment of an app's service in docker-compose.yml; each `${NAME:-default}` is replaced by
 * its default.
 */
const composeEnvironment = (app: string): Environment => {
  const { services } = parse(COMPOSE, { merge: true }) as {
    services: Readonly<Record<string, { readonly environment?: Environment }>>;
  };
  const { environment = {} } = services[app] ?? services['all'] ?? {};
  const plain = (text: string): string => text.replace(/\$\{\w+(?::[-?]([^}]*))?\}/g, '$1');
  return Object.fromEntries(Object.entries(environment).map(([key, text]) => [key, plain(text)]));
};

/**
 * The image that the Dockerfile makes, as a folder of this machine; the image's programs run as a
 * user who cannot write to the folder.
 */
export interface Image {
  readonly folder: string;
  readonly user: string;
  readonly command: readonly string[];
  readonly env: Environment;
  /** The image of the target `sandbox`. */
  readonly sandbox: Stage;
  /**
   * Returns the folder of the Node executable that runs the image's programs: this machine's Node,
   * or a copy of Node in another version.
   */
  nodeFolder(version: string, program: string): string;
  readonly tls: { readonly certFile: string; readonly keyFile: string; readonly caFile: string };
  start(what: Program): Supervised;
}

export interface Program {
  /**
   * The name of the program. If docker-compose.yml has a service of this name, the program gets the
   * service's settings.
   */
  readonly name: string;
  readonly nodeFolder: string;
  /** The command line, which begins with `node`. */
  readonly command: readonly string[];
  readonly env: Environment;
  readonly logFile: string;
}

/**
 * Executes the steps of the Dockerfile; the stage `build`, which only runs `npm run build`, is
 * replaced by the build of the checkout.
 */
export const makeImage = (): Image => {
  const dir = scratchDir(mkdtempSync(join(tmpdir(), 'image-')));
  chmodSync(dir, OPEN);
  const dockerfile = readDockerfile(ROOT);
  const stages = executeSteps(dockerfile, { dir, context: ROOT, given: { build: ROOT } });
  const [made, sandbox] = [stages.get(LAST_STAGE), stages.get('sandbox')];
  if (made === undefined || sandbox === undefined)
    throw new Error('the Dockerfile has no stage sandbox, or no last stage without a name');
  const certificate = developmentCertificate();
  const tlsFile = (kind: keyof typeof certificate): string => {
    const copy = join(dir, `${kind}.pem`);
    copyFileSync(certificate[kind], copy);
    chmodSync(copy, READABLE);
    return copy;
  };
  const compileCache = join(dir, 'compile-cache');
  mkdirSync(compileCache);
  chmodSync(compileCache, WRITABLE);
  return {
    ...made,
    sandbox,
    tls: { certFile: tlsFile('certFile'), keyFile: tlsFile('keyFile'), caFile: tlsFile('caFile') },
    nodeFolder: (version, program) => {
      const folder = join(dir, 'nodes', version);
      mkdirSync(folder, { recursive: true });
      copyFileSync(program, join(folder, 'node'));
      chmodSync(join(folder, 'node'), OPEN);
      return folder;
    },
    start: ({ name, nodeFolder, command, env, logFile }) => {
      const [, ...args] = command;
      return supervise(join(nodeFolder, 'node'), args, {
        name,
        logFile,
        cwd: made.folder,
        ...UNPRIVILEGED_USER,
        env: {
          ...made.env,
          ...composeEnvironment(name),
          ...env,
          HOST: '127.0.0.1',
          // A shared cache of compiled code: the programs have most modules in common, which are
          // then compiled only once.
          NODE_COMPILE_CACHE: compileCache,
          TMPDIR: made.folder,
          HOME: made.folder,
          PATH: `${nodeFolder}${delimiter}${process.env['PATH']}`,
        },
      });
    },
  };
};

const programsIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() && readdirSync(join(ROOT, folder, entry.name)).includes('main.js'),
    )
    .map(({ name }) => name);

const startedIn = (text: string): readonly string[] =>
  [...text.matchAll(/node,? dist\/programs\/([\w-]+)\.js/g)].map(([, name = '']) => name);

/**
 * The commands that start with `node` in the image, from package.json, compose and the Dockerfile.
 */
export const entryPoints = (): Readonly<
  Record<'apps' | 'examples' | 'tools', readonly string[]>
> => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const ofScripts = Object.values(scripts).filter((script) => script.startsWith('node dist/'));
  const apps = programsIn('dist/apps');
  const started = [...ofScripts, COMPOSE, readDockerfile(ROOT)].flatMap(startedIn);
  return {
    apps,
    examples: programsIn('dist/examples'),
    tools: [...new Set(started)].filter((name) => !apps.includes(name)).sort(),
  };
};
