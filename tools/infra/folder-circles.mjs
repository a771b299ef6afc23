/**
 * `node tools/infra/folder-circles.mjs`: checks that the folders of an area do not import each
 * other in a cycle. dependency-cruiser finds only cycles of files: two folders may import each
 * other even if no two files do.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

import { LIB_ALIASES } from './lib-aliases.mjs';
import { ROOT } from './paths.mjs';

/**
 * The checked areas. `rooms` lists an area's folders from the lowest to the highest. A folder may
 * import only folders before it. Files beside the folders may import all of them.
 */
const AREAS = [
  {
    folder: 'apps/sandbox',
    rooms: [
      'settings',
      'storage',
      'api',
      'clock',
      'faults',
      'webhooks',
      'money',
      'collection',
      'onboarding',
      'people',
    ],
  },
  { folder: 'libs' },
  { folder: 'apps/api' },
  { folder: 'apps/worker' },
  { folder: 'apps/admin' },
  { folder: 'migrations' },
];

/** Specs, and files that only specs use, may import any folder. */
const IN_TESTS = /\.(spec|fixture)\.ts$|(^|\/)testing\//;

/** @typedef {{ readonly from: string, readonly to: string }} Arrow paths below the area's folder */

/**
 * All imports of files in a folder, including imports of types. The alias of a lib, such as `#log`,
 * is replaced by the path of the lib's index.
 * @param {string} folder
 * @returns {readonly Arrow[]}
 */
const arrowsIn = (folder) => {
  const found = readdirSync(folder, { encoding: 'utf8', recursive: true }).map((file) =>
    file.replaceAll(sep, '/'),
  );
  const files = new Set(found.filter((file) => /\.m?tsx?$/.test(file) && !IN_TESTS.test(file)));
  return [...files].sort().flatMap((from) => {
    const text = readFileSync(join(folder, from), 'utf8');
    return ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName }) => {
      const written = fileName.startsWith('.')
        ? posix.join(dirname(from), fileName)
        : (LIB_ALIASES.get(fileName) ?? '').replace('libs/', '');
      const to = [
        written.replace(/\.(m?)js$/, '.$1ts'),
        written.replace(/\.js$/, '.tsx'),
        written,
      ].find((file) => files.has(file));
      return to === undefined ? [] : [{ from, to }];
    });
  });
};

/** @typedef {Map<string, Map<string, Arrow>>} Graph importer → imported → one of the imports */

/**
 * The import graph of each folder: which file or subfolder imports which other one in this folder.
 * @param {readonly Arrow[]} arrows
 */
const graphsOf = (arrows) => {
  /** @type {Map<string, Graph>} */
  const graphs = new Map();
  for (const arrow of arrows) {
    const [from, to] = [arrow.from.split('/'), arrow.to.split('/')];
    const depth = from.findIndex((name, index) => name !== to[index]);
    if (depth < 0) continue;
    const place = from.slice(0, depth).join('/');
    const graph = graphs.get(place) ?? new Map();
    graphs.set(place, graph);
    const next = graph.get(from[depth]) ?? new Map();
    graph.set(from[depth], next);
    if (!next.has(to[depth])) next.set(to[depth], arrow);
  }
  return graphs;
};

/**
 * The shortest cycle of imports that begins and ends at `start`; null when there is none.
 * @param {Graph} graph
 */
const circleFrom = (graph, start) => {
  /** @type {[string, readonly Arrow[]][]} */
  const ways = [[start, []]];
  const seen = new Set();
  for (const [at, way] of ways) {
    for (const [next, arrow] of graph.get(at) ?? []) {
      if (next === start) return [...way, arrow];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([next, [...way, arrow]]);
    }
  }
  return null;
};

const shown = ({ from, to }) => `${from} → ${to}`;

/**
 * Finds an import cycle in a folder. The report shows only the shortest cycle of each folder.
 * @param {string} place
 * @param {Graph} graph
 */
const circleIn = (place, graph) => {
  const circles = [...graph.keys()].map((name) => circleFrom(graph, name) ?? []);
  const [shortest] = circles
    .filter((way) => way.length > 0)
    .sort((one, other) => one.length - other.length);
  return shortest === undefined
    ? []
    : [`folders import each other in ${place}: ${shortest.map(shown).join(', ')}`];
};

/** @param {import('./folder-circles.d.mts').Area} area @param {readonly Arrow[]} arrows */
const wrongRooms = ({ folder, rooms }, arrows) => {
  if (rooms === undefined) return [];
  const heightOf = (file) => {
    const [room, ...inside] = file.split('/');
    return inside.length === 0 ? rooms.length : rooms.indexOf(room);
  };
  return arrows.flatMap((arrow) => {
    const [from, to] = [heightOf(arrow.from), heightOf(arrow.to)];
    if (from < 0 || to < 0)
      return [`not in the list of folders of ${folder}: ${from < 0 ? arrow.from : arrow.to}`];
    return to > from ? [`a lower folder of ${folder} imports a higher one: ${shown(arrow)}`] : [];
  });
};

/**
 * The violations in the folders below `root`, as lines of text.
 * @param {string} root
 * @param {readonly import('./folder-circles.d.mts').Area[]} areas
 */
export const folderComplaints = (root, areas) =>
  areas.flatMap((area) => {
    const arrows = arrowsIn(join(root, area.folder));
    const circles = [...graphsOf(arrows)].flatMap(([place, graph]) =>
      circleIn(posix.join(area.folder, place), graph),
    );
    return [...new Set([...wrongRooms(area, arrows), ...circles])];
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const complaints = folderComplaints(ROOT, AREAS);
  for (const complaint of complaints) console.log(complaint);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
