import { CompanyReads } from './company-reads.js';
import { DetailsCheck } from './details/check-details.js';
import { CodeLists } from './details/code-lists.js';
import { DocumentsController } from './documents/documents.controller.js';
import { Documents } from './documents/documents.js';
import { Transfers } from './documents/transfers.js';
import { PersonChecks } from './person-checks.js';
import { OwnersAndRepresentativesController } from './owners-and-representatives.controller.js';
import { OwnersAndRepresentatives } from './owners-and-representatives.js';
import { MerchantChanges } from './merchant-changes.js';
import { MerchantDrafts } from './merchant-drafts.js';
import { MerchantsController } from './merchants.controller.js';
import { Partners } from './partners.js';
import { TerminalsController } from './terminals.controller.js';

export const MERCHANT_CONTROLLERS = [
  MerchantsController,
  OwnersAndRepresentativesController,
  DocumentsController,
  TerminalsController,
];

export const MERCHANT_PARTS = [
  Partners,
  CodeLists,
  DetailsCheck,
  MerchantDrafts,
  MerchantChanges,
  CompanyReads,
  PersonChecks,
  OwnersAndRepresentatives,
  Documents,
  Transfers,
];
