import { isRegistered } from '#onboarding';
import type { KnownMerchant } from '../shared/tenancy.js';
import { ERASED_BEFORE_REGISTRATION } from './provider-refusals.js';

/** Returns why a merchant does not accept orders, and what the platform should do. */
const whyClosed = (merchant: KnownMerchant): string => {
  switch (merchant.status) {
    case 'draft':
    case 'requested':
      return 'its company is being registered: wait for the result';
    case 'rejected':
      if (merchant.detailsRef === null) return ERASED_BEFORE_REGISTRATION.detail;
      return 'the provider rejected its company: correct the fields that its rejection names';
    case 'incomplete':
      return 'its contract is not signed: give the merchant its subscription link';
    case 'in_review':
      return 'its contract is signed and its file is being reviewed: wait for the provider';
    case 'validated':
      return 'its file is validated, but its keys are not active yet: wait for the provider';
    case 'available':
      return 'its keys are being fetched: repeat the request shortly';
    case 'closing':
      return 'its contract is about to end: no new orders are accepted';
    case 'closed':
      return 'its contract has ended: no new orders are accepted';
  }
};

/**
 * Returns why the merchant does not accept orders, and what to do; null if the merchant accepts
 * orders.
 */
export const reasonClosed = (merchant: KnownMerchant): string | null =>
  isRegistered(merchant) && merchant.ordersEnabled ? null : whyClosed(merchant);
