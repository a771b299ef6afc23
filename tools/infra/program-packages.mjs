/**
 * Lists the packages in the programs: for scanners of versions, and with their licenses, because the
 * image contains no package folders.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const IN_PACKAGES = `${sep}node_modules${sep}`;

/** The folder of the package that contains a module; null for a module of ours. @param {string} id */
const folderOf = (id) => {
  const end = id.lastIndexOf(IN_PACKAGES);
  if (end < 0) return null;
  const [scope, name] = id.slice(end + IN_PACKAGES.length).split(sep);
  const parts = scope.startsWith('@') ? [scope, name] : [scope];
  return join(id.slice(0, end), 'node_modules', ...parts);
};

/**
 * @param {readonly string[]} modules paths of the bundled modules
 * @returns {{ name: string, version: string, license: string, text: string }[]} sorted by name
 */
export const packagesOf = (modules) => {
  const folders = new Set(modules.map(folderOf).filter((folder) => folder !== null));
  const packages = [...folders]
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      );
      const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
      const text = files
        .map((file) => readFileSync(join(folder, file), 'utf8').trim())
        .join('\n\n');
      return { name, version, license: typeof license === 'string' ? license : 'see text', text };
    });
  return packages.toSorted((a, b) =>
    `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1,
  );
};

/** A CycloneDX document. @param {ReturnType<typeof packagesOf>} packages */
export const billOfMaterials = (packages) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  components: packages.map(({ name, version, license }) => ({
    type: 'library',
    'bom-ref': `pkg:npm/${name.replace('@', '%40')}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ expression: license }],
  })),
});

/** @param {ReturnType<typeof packagesOf>} packages */
export const licenseTexts = (packages) =>
  packages
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
