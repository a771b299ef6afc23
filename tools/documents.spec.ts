import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedCommands } from './documents.fixture.js';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/**
 * The source code of the tool that a script runs, including the files in the folder of the same
 * name.
 */
const sourceOf = (script: string): string => {
  const [, name = ''] = /tools\/([\w-]+)\.m?js/.exec(scripts[script] ?? '') ?? [];
  const files = [`tools/${name}.ts`, `tools/${name}.mjs`, `tools/${name}-commands.ts`];
  const folder = join('tools', name);
  const beside = existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)) : [];
  return [...files, ...beside]
    .filter((path) => /\.m?[jt]s$/.test(path) && existsSync(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
};

test('each command in the documentation exists and has the documented options', () => {
  const commands = documentedCommands();
  expect(commands.length).toBeGreaterThan(50);
  const wrong = commands.flatMap(({ document, script, args }) => {
    if (!(script in scripts)) return [`${document}: there is no ${script}`];
    const source = sourceOf(script);
    const options = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2));
    return options
      .filter((option) => !new RegExp(`\\b${option}\\b`).test(source))
      .map((option) => `${document}: ${script} has no --${option}`);
  });
  expect(wrong).toEqual([]);
});

test('each console label that the runbook names exists in the console', () => {
  const home = 'apps/admin/console/src/i18n/en';
  const labels = readdirSync(home)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(home, file), 'utf8'))
    .join('\n');
  const runbook = readFileSync('docs/runbook.md', 'utf8').replaceAll(/\s+/g, ' ');
  const places = [...runbook.matchAll(/\*\*([^*]+ → [^*]+)\*\*/g)].flatMap(([, path = '']) =>
    path.split(' → '),
  );
  expect(places.length).toBeGreaterThan(10);
  expect(places.filter((place) => !labels.includes(`'${place}'`))).toEqual([]);
});
