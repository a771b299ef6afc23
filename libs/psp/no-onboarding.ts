import type { Onboarding } from './onboarding.js';
import { CapabilityMissing } from './provider-error.js';

const lacking = (): Promise<never> => Promise.reject(new CapabilityMissing('onboarding'));

/** The onboarding of an adapter without the capability. */
export const NO_ONBOARDING: Onboarding = {
  createCompany: lacking,
  getCompany: lacking,
  changeCompany: lacking,
  createdCompanies: lacking,
  statusHistory: lacking,
  progress: lacking,
  signatureLink: lacking,
  companyKeys: lacking,
  putPerson: lacking,
  removePerson: lacking,
  sendDocuments: lacking,
  readDocument: lacking,
  removeDocument: lacking,
  orderTerminal: lacking,
  listTerminals: lacking,
  cancelTerminal: lacking,
  codes: lacking,
};
