/** `npm run docs`: builds the documentation as a site with search into `.state/docs-site`. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import { run } from './infra/commands.mjs';
import { Failure } from './infra/failure.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { ROOT, stateDir } from './infra/paths.mjs';
import { say, step } from './infra/say.mjs';

const build = async () => {
  const program = join(ROOT, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  const { code, output } = await run(process.execPath, [program, 'build', 'docs-site'], {
    cwd: ROOT,
  });
  if (code !== 0) throw new Failure('The site cannot be built: fix what is shown above.', output);
  const mermaid = join(ROOT, 'node_modules', 'mermaid', 'dist', 'mermaid.min.js');
  copyFileSync(mermaid, join(stateDir('docs-site'), 'mermaid.min.js'));
};

await runTool(async () => {
  await ensurePackages();
  await step('Documentation built', build, { doing: 'Building the documentation' });
  say(`  ${join(stateDir('docs-site'), 'index.html')}`);
  return 0;
});
