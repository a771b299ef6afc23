import { lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';

/** @type {typeof import('./npm-package.mjs').installPackage} */
export const installPackage = async (home, wanted) => {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  const { code, output } = await run('npm', ['install', '--prefix', home, ...flags, wanted], {
    cwd: home,
  });
  if (code === 0) return;
  throw new Failure(
    `npm could not fetch ${wanted}: check the network and the registry settings of npm.`,
    lastLines(output),
  );
};
