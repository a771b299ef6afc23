import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { ensureHelm } from '../../tools/infra/helm.mjs';
import { ROOT, stateDir } from '../../tools/infra/paths.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';
import { ensurePythonTool } from '../../tools/infra/python-tool.mjs';

const execute = promisify(execFile);

export const CHART = join(ROOT, 'deploy', 'chart');
export const RELEASE = 'pay';
export const VALUES = ['minimal', 'production', 'everything'] as const;
export type ValuesName = (typeof VALUES)[number];

/** The oldest Kubernetes that Chart.yaml accepts, and the newest whose schemas are installed. */
export const KUBERNETES = ['1.30', '1.37'] as const;
/** A package of Python with the JSON schemas of each version of the Kubernetes API. */
const SCHEMAS = ['kubernetes-validate==1.37.0'];

type EnvVar = { readonly name: string; readonly value: string };

interface Probe {
  readonly httpGet: { readonly port: string; readonly path: string };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly env: readonly EnvVar[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly mountPath: string }[];
  readonly securityContext: object;
  readonly resources: object;
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface SecretSource {
  readonly secret: {
    readonly name: string;
    readonly items: readonly { readonly key: string; readonly path: string }[];
  };
}

export interface Pod {
  readonly containers: readonly [Container];
  readonly volumes: readonly [
    { readonly projected: { readonly sources: readonly SecretSource[] } },
  ];
  readonly securityContext: object;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly topologySpreadConstraints?: readonly object[];
}

type Labels = Readonly<Record<string, string>>;

/** A Kubernetes object, with the fields that the specs read. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Labels };
  readonly spec: {
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod };
    readonly selector: Labels & { readonly matchLabels: Labels };
    readonly podSelector: { readonly matchLabels: Labels };
    readonly [field: string]: unknown;
  };
}

/** A change in a file of the chart: the file, the text to replace, and its replacement. */
export type Change = readonly [file: string, text: string, replacement: string];

/** A copy of the chart with planted errors. */
export const chartWith = (...changes: readonly Change[]): string => {
  const folder = scratchDir(mkdtempSync(join(stateDir('run'), 'chart-')));
  cpSync(CHART, folder, { recursive: true });
  for (const [file, text, replacement] of changes) {
    const before = readFileSync(join(folder, file), 'utf8');
    if (!before.includes(text)) throw new Error(`${file} does not contain ${text}`);
    // The file may be a symbolic link to a file of the checkout, which must not change.
    rmSync(join(folder, file));
    writeFileSync(join(folder, file), before.replace(text, replacement));
  }
  return folder;
};

const helm = async (command: string, args: readonly string[]): Promise<string> =>
  (await execute(await ensureHelm(), [command, ...args], { encoding: 'utf8' })).stdout;

const filesOf = (values: ValuesName): readonly string[] => [
  '--values',
  join(ROOT, 'deploy', 'values', `${values}.yaml`),
];

/** The objects of a release, as YAML; rejects with the message of Helm. */
export const render = (
  values: ValuesName,
  { chart = CHART, sets = [] }: { chart?: string; sets?: readonly string[] } = {},
): Promise<string> =>
  helm('template', [RELEASE, chart, ...filesOf(values), ...sets.flatMap((set) => ['--set', set])]);

export const lint = (values: ValuesName): Promise<string> =>
  helm('lint', ['--strict', '--quiet', CHART, ...filesOf(values)]);

export const objectsIn = (yaml: string): readonly KubernetesObject[] =>
  parseAllDocuments(yaml)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);

/** The complaints about the objects of each file, by the file's name. */
export type Complaints = Readonly<Record<string, readonly string[]>>;

/**
 * Validates the objects of several files at once, because the program takes half a second to
 * start. It uses the schemas of a version of the Kubernetes API, which allow no unknown field, and
 * prints a line for each object that is invalid, or of an unknown kind. A line that names no file
 * counts for all files.
 */
export const complaintsOf = async (
  files: Readonly<Record<string, string>>,
  version: string,
): Promise<Complaints> => {
  const folder = scratchDir(mkdtempSync(join(stateDir('run'), 'objects-')));
  const names = Object.keys(files);
  for (const name of names) writeFileSync(join(folder, `${name}.yaml`), files[name] ?? '');
  const program = join(
    await ensurePythonTool('kubernetes-validate', SCHEMAS),
    'kubernetes-validate',
  );
  const args = ['--strict', '--quiet', '-k', version, ...names.map((name) => `${name}.yaml`)];
  const said = await execute(program, args, { cwd: folder, encoding: 'utf8' }).catch(
    (failed: unknown) => {
      // An invalid object also makes the validator fail, but then the validator prints its
      // findings.
      if ((failed as { readonly stdout: string }).stdout.trim() === '') throw failed;
      return failed as { readonly stdout: string };
    },
  );
  const lines = said.stdout.split('\n').filter((line) => line !== '');
  const isAbout = (line: string, name: string): boolean =>
    new RegExp(`^\\w+ ${name}\\.yaml `).test(line) ||
    !names.some((one) => line.includes(` ${one}.yaml `));
  return Object.fromEntries(
    names.map((name) => [name, lines.filter((line) => isAbout(line, name))]),
  );
};
