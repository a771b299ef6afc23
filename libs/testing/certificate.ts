import { assert } from '#kernel';

/** Files of the development certificate for localhost and of the authority that signed it. */
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
    'the runner created the certificate: start specs by `npm test -- …',
  );
  return { certFile, keyFile, caFile };
};
