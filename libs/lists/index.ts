export { filterField, INSTANT } from './filter-field.js';
export { forPlatforms } from './for-platforms.js';
export type { Column, Filter, List, ListQuery, Search } from './list.js';
export {
  fileQueryOf,
  filtersQueryOf,
  itemOf,
  limitField,
  pageOf,
  type Paging,
  queryOf,
  selectedQueryOf,
} from './list-dto.js';
export { Lists, MAX_TOTALED, type Page, type Totals } from './lists.js';
export { csvOf, type FileFormat, sendFile } from './send-file.js';
export {
  EVERYTHING,
  fileQuery,
  MAX_GROUP_IDS,
  ofPlatform,
  type Scope,
  sourceOf,
  statementOf,
} from './statement.js';
export { AMOUNT_FILTERS, timeFilters, usualSorts } from './usual.js';
