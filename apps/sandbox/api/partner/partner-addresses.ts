import { PARTNERS_PATH } from './partner-paths.js';

/** The addresses that answers hold: as the partner and the merchant reach them. */
export class PartnerAddresses {
  /** `{partners_url}` of the specification. */
  readonly partnersUrl: string;

  constructor(private readonly publicUrl: string) {
    this.partnersUrl = `${publicUrl}${PARTNERS_PATH}`;
  }

  /** Where the merchant finalizes the registration. */
  subscription(linkToken: string): string {
    return `${this.publicUrl}/subscription/${linkToken}`;
  }
}
