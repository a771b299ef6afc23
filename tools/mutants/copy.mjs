import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { KAFKA_LIB } from '../infra/kafka-jars.mjs';
import { ROOT, stateDir } from '../infra/paths.mjs';
import { changesOf, planted } from './plant.mjs';

/**
 * Links the installed packages into the copy. Links of workspaces lead to the copy's own
 * workspaces, in which bugs may be planted.
 * @param {string} folder
 */
const linkPackages = (folder) => {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const installed = join(from, entry.name);
    const target = entry.isSymbolicLink() ? readlinkSync(installed) : installed;
    symlinkSync(target, join(to, entry.name));
  }
};

/** @param {string} place */
const textOf = (place) => {
  const text = readFileSync(place, 'utf8');
  return { before: text, after: text };
};

/** A copy of the checkout in which one bug at a time is planted. */
export class Copy {
  /**
   * @param {string} name of the copy's folder; each process that plants bugs needs a different one
   */
  constructor(name = 'tree') {
    this.folder = join(stateDir('mutants'), name);
    rmSync(this.folder, { recursive: true, force: true });
    const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
    const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' });
    for (const file of files.split('\0').filter(Boolean)) {
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      cpSync(join(ROOT, file), join(this.folder, file));
    }
    linkPackages(this.folder);
    mkdirSync(join(this.folder, '.state'));
    symlinkSync(KAFKA_LIB, join(this.folder, '.state', 'kafka-lib'));
  }

  /**
   * Plants a bug in the copy, runs `work`, and removes the bug. @param
   * {import('./mutant.d.mts').Mutant} mutant
   */
  async with(mutant, work) {
    const texts = new Map();
    for (const change of changesOf(mutant)) {
      const place = join(this.folder, change.file);
      const { before, after } = texts.get(place) ?? textOf(place);
      texts.set(place, { before, after: planted(mutant.name, change, after) });
    }
    for (const [place, { after }] of texts) writeFileSync(place, after);
    try {
      return await work();
    } finally {
      for (const [place, { before }] of texts) writeFileSync(place, before);
    }
  }
}
