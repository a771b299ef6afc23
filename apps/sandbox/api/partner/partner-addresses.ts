import { PARTNERS_PATH } from './partner-paths.js';

/** The base URLs in responses, as partners and merchants reach them. */
export class PartnerAddresses {
  /** `{partners_url}` of the specification. */
  readonly partnersUrl: string;

  constructor(private readonly publicUrl: string) {
    this.partnersUrl = `${publicUrl}${PARTNERS_PATH}`;
  }

  /** The page on which the merchant completes the registration. */
  subscription(linkToken: string): string {
    return `${this.publicUrl}/subscription/${linkToken}`;
  }
}
