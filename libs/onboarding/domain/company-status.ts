/** Specification, "Company status": a merchant's statuses follow the provider's names. */
export const COMPANY_STATUSES = [
  'notComplete', 'pendingActivation', 'validated', 'available', 'pendingDeactivation', 'deactivate',
] as const;

export type CompanyStatus = (typeof COMPANY_STATUSES)[number];

export const isCompanyStatus = (text: string): text is CompanyStatus =>
  (COMPANY_STATUSES as readonly string[]).includes(text);
