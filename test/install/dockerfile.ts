import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/**
 * The working folder inside the image; on this machine each build stage has a folder that stands
 * for it.
 */
const APP = '/app';

interface Stage {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly command: readonly string[];
  /** The health check's command for the shell; empty where the image has no health check. */
  readonly health: string;
}

interface Step {
  readonly verb: string;
  readonly words: string;
}

const stepsOf = (text: string): readonly Step[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [verb = '', ...words] = line.split(' ');
      return { verb, words: words.join(' ') };
    });

/** Where a path of the image lies on this machine. */
const inside = (folder: string, path: string): string =>
  join(folder, path.startsWith('/') ? relative(APP, path) : path);

/**
 * Does what `COPY` does: copies the content of a folder, or a file into a folder that ends with a
 * slash.
 */
const copy = (source: string, target: string): void => {
  const into = statSync(source).isFile() && target.endsWith('/');
  mkdirSync(into ? target : join(target, '..'), { recursive: true });
  cpSync(source, into ? join(target, basename(source)) : target, {
    recursive: true,
    verbatimSymlinks: true,
  });
};

const jsonWords = (words: string): readonly string[] => JSON.parse(words) as readonly string[];

export interface Surroundings {
  /** Where the stages' folders are made. */
  readonly dir: string;
  /** The build context. */
  readonly context: string;
  /** Build stages that are already built, with their folders. */
  readonly given: Readonly<Record<string, string>>;
}

/**
 * Executes the steps of a Dockerfile on this machine, which has other programs than the image's
 * base, and returns its last stage. Throws on an unknown step.
 */
export const executeSteps = (dockerfile: string, { dir, context, given }: Surroundings): Stage => {
  const stages = new Map<string, Stage>();
  const blank = { env: {}, user: 'root', command: [], health: '' };
  let name = '';
  let stage: Stage = { folder: dir, ...blank };
  const copyInto = (words: string): void => {
    const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(words) ?? [];
    const base = from === undefined ? context : (given[from] ?? stages.get(from)?.folder);
    if (base === undefined) throw new Error(`COPY from an unknown stage: ${from}`);
    const sources = paths.split(' ');
    const target = sources.pop() ?? '';
    const at = join(stage.folder, target, target.endsWith('/') ? '/' : '');
    for (const source of sources) {
      copy(from === undefined ? join(base, source) : inside(base, source), at);
    }
  };
  const run = (command: string): void => {
    const env = { ...process.env, ...stage.env };
    execFileSync('sh', ['-c', command], { cwd: stage.folder, env, stdio: 'pipe' });
  };
  const change: Readonly<Record<string, (words: string) => Partial<Stage> | void>> = {
    WORKDIR: (words) => {
      if (words !== APP) throw new Error(`a WORKDIR other than ${APP}: ${words}`);
    },
    ENV: (words) => {
      const [key = '', value = ''] = words.split('=');
      return { env: { ...stage.env, [key]: value } };
    },
    COPY: copyInto,
    RUN: run,
    USER: (user) => ({ user }),
    CMD: (words) => ({ command: jsonWords(words) }),
    HEALTHCHECK: (words) => ({ health: words.split('CMD ')[1] ?? '' }),
  };
  for (const { verb, words } of stepsOf(dockerfile)) {
    if (verb === 'FROM') {
      const [base = '', , as = 'image'] = words.split(' ');
      name = as;
      const folder = join(dir, name);
      mkdirSync(folder);
      const from = stages.get(base);
      stage = { ...(from ?? blank), folder };
      if (from !== undefined && given[name] === undefined) copy(from.folder, folder);
    } else if (given[name] === undefined) {
      const known = change[verb];
      if (known === undefined) throw new Error(`unknown Dockerfile step: ${verb} ${words}`);
      stage = { ...stage, ...known(words) };
    }
    stages.set(name, stage);
  }
  return stage;
};

/** The version of Node in the image's tag. */
export const nodeOfImage = (dockerfile: string): string => {
  const [, version] = /^FROM node:(\d+\.\d+\.\d+)-/m.exec(dockerfile) ?? [];
  if (version === undefined) throw new Error('the image tag names no exact version of Node');
  return version;
};

export const readDockerfile = (root: string): string =>
  readFileSync(join(root, 'Dockerfile'), 'utf8');
