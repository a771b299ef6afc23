/**
 * `npm run docs [-- --serve]`: builds the documentation as a site with search into
 * `.state/docs-site`; with `--serve` it also serves the site on loopback until Ctrl-C.
 */
import { buildDocsSite } from './infra/docs-site.mjs';
import { serveDocs } from './infra/docs-server.mjs';
import { Failure } from './infra/failure.mjs';
import { ensurePackages } from './infra/install.mjs';
import { runTool } from './infra/main.mjs';
import { stateDir } from './infra/paths.mjs';
import { cyan, dim, say, step } from './infra/say.mjs';

await runTool(async () => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => arg !== '--serve');
  if (unknown !== undefined) throw new Failure(`Unknown argument '${unknown}': use --serve.`);
  await ensurePackages();
  await step('Documentation built', buildDocsSite, { doing: 'Building the documentation' });
  if (!args.includes('--serve')) {
    say('  It is in .state/docs-site. To read it: npm run docs -- --serve');
    return 0;
  }
  const { url } = await serveDocs(stateDir('docs-site'));
  say(`\n  ${cyan(url)}  ${dim('Ctrl-C ends it.')}`);
  return new Promise(() => {});
});
