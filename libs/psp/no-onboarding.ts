import type { Onboarding } from './onboarding.js';
import { CapabilityMissing } from './provider-error.js';

const lacking = (): Promise<never> => Promise.reject(new CapabilityMissing('onboarding'));

/** Of an adapter that lacks the capability. */
export const NO_ONBOARDING: Onboarding = {
  createCompany: lacking,
  getCompany: lacking,
  changeCompany: lacking,
  createdCompanies: lacking,
  statusHistory: lacking,
  progress: lacking,
  signatureLink: lacking,
  companyKeys: lacking,
  putHead: lacking,
  removeHead: lacking,
  addDocuments: lacking,
  replaceDocuments: lacking,
  readDocument: lacking,
  removeDocument: lacking,
  orderTerminal: lacking,
  listTerminals: lacking,
  cancelTerminal: lacking,
  codes: lacking,
};
