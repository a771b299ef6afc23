export { behindSeconds } from './behind-seconds.js';
export {
  cursorNameOf,
  dated,
  type JournalEntry,
  type Parts,
  type ProjectedRow,
  type Projection,
  rowsFrom,
  tablesOf,
} from './projection.js';
export { CHUNK_EVENTS, ProjectionRunner } from './projection-runner.js';
export { rebuildProjection, RebuildUnderWay } from './rebuild.js';
