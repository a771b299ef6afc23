import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { linkTree } from './link-tree.js';

/**
 * The working folder inside the image; on this machine, each build stage uses a separate folder
 * instead.
 */
const APP = '/app';

export interface Stage {
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

/** The path on this machine for a path inside the image. */
const inside = (folder: string, path: string): string =>
  join(folder, path.startsWith('/') ? relative(APP, path) : path);

/**
 * Copies files like the instruction `COPY`: the content of a folder, or a single file into a folder
 * whose name ends with a slash.
 */
const copy = (source: string, target: string): void => {
  const into = statSync(source).isFile() && target.endsWith('/');
  linkTree(source, into ? join(target, basename(source)) : target);
};

const jsonWords = (words: string): readonly string[] => JSON.parse(words) as readonly string[];

export interface Surroundings {
  /** The folder in which the folders of the build stages are created. */
  readonly dir: string;
  readonly context: string;
  /**
   * The folders of build stages that were built before, by stage name; these stages are not
   * executed.
   */
  readonly given: Readonly<Record<string, string>>;
}

/** A name for the Dockerfile's last stage, which is unnamed there. */
export const LAST_STAGE = 'image';

/**
 * Executes the steps of a Dockerfile that copy files and describe the image; returns its stages by
 * name. Commands (`RUN`) are not executed: a stage with commands must be in `given`. Throws on an
 * unknown step. Stages that change no files share the folder of the stage from which they begin.
 */
export const executeSteps = (
  dockerfile: string,
  { dir, context, given }: Surroundings,
): ReadonlyMap<string, Stage> => {
  const stages = new Map<string, Stage>();
  const blank = { env: {}, user: 'root', command: [], health: '' };
  let name = '';
  let stage: Stage = { folder: dir, ...blank };
  /** The folder of a stage, which begins with the files of the stage on which it is based. */
  const ownFolder = (): string => {
    const folder = join(dir, name);
    if (stage.folder === folder) return folder;
    copy(stage.folder, folder);
    stage = { ...stage, folder };
    return folder;
  };
  const copyInto = (words: string): void => {
    const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(words) ?? [];
    const base = from === undefined ? context : (given[from] ?? stages.get(from)?.folder);
    if (base === undefined)
      throw new Error(`the Dockerfile copies from a stage that it does not define: ${from}`);
    const sources = paths.split(' ');
    const target = sources.pop() ?? '';
    const at = join(ownFolder(), target, target.endsWith('/') ? '/' : '');
    for (const source of sources) {
      copy(from === undefined ? join(base, source) : inside(base, source), at);
    }
  };
  const change: Readonly<Record<string, (words: string) => Partial<Stage> | void>> = {
    WORKDIR: (words) => {
      if (words !== APP) throw new Error(`the WORKDIR must be ${APP}, not ${words}`);
    },
    ENV: (words) => {
      const [key = '', value = ''] = words.split('=');
      return { env: { ...stage.env, [key]: value } };
    },
    COPY: copyInto,
    USER: (user) => ({ user }),
    CMD: (words) => ({ command: jsonWords(words) }),
    HEALTHCHECK: (words) => ({ health: words.split('CMD ')[1] ?? '' }),
  };
  for (const { verb, words } of stepsOf(dockerfile)) {
    if (verb === 'FROM') {
      const [base = '', , as = LAST_STAGE] = words.split(' ');
      name = as;
      const folder = join(dir, name);
      stage = stages.get(base) ?? { ...blank, folder };
      if (stage.folder === folder) mkdirSync(folder);
    } else if (given[name] === undefined) {
      const known = change[verb];
      if (known === undefined)
        throw new Error(
          `this Dockerfile step is not simulated: ${verb} ${words}; add it to test/install/dockerfile.ts`,
        );
      // The result is computed before the spread, because a step that changes files also changes
      // `stage`.
      const changed = known(words);
      stage = { ...stage, ...changed };
    }
    stages.set(name, stage);
  }
  return stages;
};

export const readDockerfile = (root: string): string =>
  readFileSync(join(root, 'Dockerfile'), 'utf8');
