import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** @param {string} file */
const isFile = (file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true;

/**
 * The path of the file for a request's URL; empty if the URL is invalid or leaves the folder.
 * @param {string} folder @param {string} url
 */
const fileOf = (folder, url) => {
  try {
    const path = decodeURIComponent(url.split('?')[0] ?? '');
    if (path.includes('..')) return '';
    return join(folder, path.endsWith('/') ? `${path}index.html` : path);
  } catch {
    return ''; // The path is not valid in a URL.
  }
};

/** @type {typeof import('./docs-server.mjs').serveDocs} */
export const serveDocs = async (folder) => {
  const server = createServer((request, response) => {
    const file = fileOf(folder, String(request.url));
    const isFound = isFile(file);
    response.writeHead(isFound ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? '' });
    if (isFound) createReadStream(file).pipe(response);
    else response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
};
