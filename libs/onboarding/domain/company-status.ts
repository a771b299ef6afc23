/**
 * The statuses of a company's registration and contract, in the order in which they usually occur.
 */
export const COMPANY_STATUSES = [
  'incomplete',
  'in_review',
  'validated',
  'available',
  'closing',
  'closed',
] as const;

export type CompanyStatus = (typeof COMPANY_STATUSES)[number];

export const isCompanyStatus = (text: string): text is CompanyStatus =>
  (COMPANY_STATUSES as readonly string[]).includes(text);
