/** How far a company's registration is, and the contract with it, in the order of its life. */
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
