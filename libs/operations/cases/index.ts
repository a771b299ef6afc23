export { CASE_KINDS, CASE_SOURCES, type CaseKind } from './case-kinds.js';
export {
  type CaseNotice,
  NOTICE_CHANNELS,
  type NoticeChannel,
  QUEUE_NOTICES,
} from './case-notices.js';
export { CASE_LIST, caseKindOf, caseListOf } from './case-list.js';
export {
  incidentRequests,
  type IncidentRequest,
  type IncidentRequests,
} from './incident-requests.js';
export { CASE_TOTALS, isOfIncident, USUAL_MODE } from './open-cases.js';
export { CASE_ACTORS } from './case-source.js';
