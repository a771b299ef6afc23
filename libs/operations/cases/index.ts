export { CASE_KINDS, type CaseKind } from './case-kinds.js';
export { CASE_LIST } from './case-list.js';
export { CASE_ACTORS } from './case-source.js';
