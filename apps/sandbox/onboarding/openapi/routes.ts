import type { AnySchemaObject } from 'ajv';
import {
  companyAnswerSchema,
  companyOnlyAnswer,
  deletedAnswer,
  uploadsAnswer,
} from '../companies/company-answer.js';
import {
  companyPatchBody,
  companyQuery,
  removedPersonQuery,
  idQuery,
  newCompanyBody,
} from '../companies/company-request.js';
import { documentQuery, uploadResultAnswer } from '../documents/document-wire.js';
import {
  activitiesAnswer,
  amountRangesAnswer,
  codesAndNamesAnswer,
  codesAnswer,
  countriesQuery,
  currencyQuery,
  legalFormQuery,
  legalFormsAnswer,
  positionQuery,
} from '../lookups/lookup-wire.js';
import {
  historyAnswer,
  historyQuery,
  keysAnswer,
  linkAnswer,
  progressAnswer,
  statusBody,
} from '../registration/registration-wire.js';
import {
  accountQuery,
  cancelQuery,
  orderQuery,
  terminalAnswer,
  terminalsAnswer,
} from '../terminals/terminal-wire.js';

interface HasSchema {
  readonly schema: AnySchemaObject;
}

/** One endpoint of the onboarding API, with the data of its description. */
export interface WireRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * The path relative to `{partners_url}`; the path of the status history is relative to
   * `{manage_url}/api/partners`.
   */
  readonly path: string;
  readonly query?: HasSchema;
  /** The format of the body: JSON, or the parts of an upload. */
  readonly body?: HasSchema | 'multipart';
  /** The content of a 200 response. */
  readonly answer: AnySchemaObject | 'file';
}

/** Every endpoint of the onboarding API, for its reference. */
export const ONBOARDING_ROUTES: readonly WireRoute[] = [
  { method: 'POST', path: '/company', body: newCompanyBody, answer: companyAnswerSchema },
  { method: 'GET', path: '/company', query: idQuery, answer: companyAnswerSchema },
  {
    method: 'PATCH',
    path: '/company',
    query: idQuery,
    body: companyPatchBody,
    answer: companyAnswerSchema,
  },
  { method: 'DELETE', path: '/company-head', query: removedPersonQuery, answer: deletedAnswer },
  { method: 'GET', path: '/naf-code', answer: activitiesAnswer },
  { method: 'GET', path: '/average-basket', query: currencyQuery, answer: amountRangesAnswer },
  { method: 'GET', path: '/currency', answer: codesAnswer },
  { method: 'GET', path: '/field-of-activity', answer: codesAndNamesAnswer },
  { method: 'GET', path: '/forecast-turnover', query: currencyQuery, answer: amountRangesAnswer },
  { method: 'GET', path: '/countries', query: countriesQuery, answer: codesAnswer },
  { method: 'GET', path: '/language', answer: codesAndNamesAnswer },
  { method: 'GET', path: '/legal-form', query: legalFormQuery, answer: legalFormsAnswer },
  {
    method: 'GET',
    path: '/legal-form-position',
    query: positionQuery,
    answer: codesAndNamesAnswer,
  },
  { method: 'GET', path: '/service', answer: codesAndNamesAnswer },
  { method: 'GET', path: '/document-upload-url', query: companyQuery, answer: uploadsAnswer },
  { method: 'POST', path: '/document/:token', body: 'multipart', answer: uploadResultAnswer },
  { method: 'PATCH', path: '/document/:token', body: 'multipart', answer: uploadResultAnswer },
  { method: 'GET', path: '/document', query: documentQuery, answer: 'file' },
  { method: 'DELETE', path: '/document', query: documentQuery, answer: deletedAnswer },
  { method: 'GET', path: '/subscription-link', query: companyQuery, answer: linkAnswer },
  { method: 'GET', path: '/registration-progress', query: companyQuery, answer: progressAnswer },
  {
    method: 'PATCH',
    path: '/company-status',
    query: companyQuery,
    body: statusBody,
    answer: companyOnlyAnswer,
  },
  { method: 'GET', path: '/company-status-history', query: historyQuery, answer: historyAnswer },
  { method: 'GET', path: '/company-keys', query: companyQuery, answer: keysAnswer },
  { method: 'POST', path: '/payment-terminal', query: orderQuery, answer: terminalAnswer },
  { method: 'GET', path: '/payment-terminal', query: accountQuery, answer: terminalsAnswer },
  {
    method: 'POST',
    path: '/cancel-payment-terminal-order',
    query: cancelQuery,
    answer: terminalAnswer,
  },
];
