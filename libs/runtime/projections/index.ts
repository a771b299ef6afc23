export { behindSeconds } from './behind-seconds.js';
export {
  column,
  columnsOf,
  cursorNameOf,
  dated,
  type Parts,
  type ProjectedRow,
  type Projection,
  type RowOf,
  rowsFrom,
  tablesOf,
  type ValuesOf,
} from './projection.js';
export { CHUNK_EVENTS, ProjectionRunner } from './projection-runner.js';
export { rebuildProjection, RebuildUnderWay } from './rebuild.js';
