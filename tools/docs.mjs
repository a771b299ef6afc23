/** `npm run docs`: builds the documentation as a site with search into `.state/docs-site`. */
import { join } from 'node:path';

import { buildDocsSite } from './infra/docs-site.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { stateDir } from './infra/paths.mjs';
import { say, step } from './infra/say.mjs';

await runTool(async () => {
  await ensurePackages();
  await step('Documentation built', buildDocsSite, { doing: 'Building the documentation' });
  say(`  ${join(stateDir('docs-site'), 'index.html')}`);
  return 0;
});
