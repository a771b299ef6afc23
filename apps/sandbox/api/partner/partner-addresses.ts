import { PARTNERS_PATH } from './partner-paths.js';

/** The public URLs in responses to partners. */
export class PartnerAddresses {
  /** `{partners_url}` of the specification. */
  readonly partnersUrl: string;

  constructor(private readonly publicUrl: string) {
    this.partnersUrl = `${publicUrl}${PARTNERS_PATH}`;
  }

  /** The URL of the page on which the merchant completes the registration. */
  subscription(linkToken: string): string {
    return `${this.publicUrl}/subscription/${linkToken}`;
  }
}
