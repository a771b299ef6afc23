import { assert } from '#kernel';

/**
 * The files of the development certificate for localhost, and of the authority that has signed it.
 */
export interface DevelopmentCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** The certificate that the test runner created. */
export const developmentCertificate = (): DevelopmentCertificate => {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile } = process.env;
  assert(
    certFile !== undefined && keyFile !== undefined && caFile !== undefined,
    'the development certificate exists: start specs with `npm test -- …`, which creates it',
  );
  return { certFile, keyFile, caFile };
};
