import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withLock } from './lock.mjs';
import { stateDir } from './paths.mjs';

const DAY_MS = 86_400_000;
const VALID_DAYS = 825;

/** @param {string} file */
const isUsable = (file) =>
  existsSync(file) &&
  Date.parse(new X509Certificate(readFileSync(file)).validTo) > Date.now() + 30 * DAY_MS;

const ALT_NAMES = [
  { type: 2, value: 'localhost' },
  { type: 7, ip: '127.0.0.1' },
  { type: 7, ip: '::1' },
];

/**
 * Creates the development certificate once, for this machine: a certificate authority, and a
 * certificate for localhost that it has signed. The keys never leave `.state`.
 * @param {string} [dir]
 * @returns {Promise<{ certFile: string, keyFile: string, caFile: string }>}
 */
export const ensureCertificate = (dir = stateDir('tls')) =>
  withLock('tls', async () => {
    const [certFile, keyFile, caFile] = ['cert.pem', 'key.pem', 'ca.pem'].map((n) => join(dir, n));
    if (isUsable(certFile) && existsSync(keyFile) && existsSync(caFile)) {
      return { certFile, keyFile, caFile };
    }
    const { generate } = await import('selfsigned');
    const days = {
      notBeforeDate: new Date(Date.now() - DAY_MS),
      notAfterDate: new Date(Date.now() + VALID_DAYS * DAY_MS),
    };
    const authority = await generate([{ name: 'commonName', value: 'Development authority' }], {
      ...days,
      keyType: 'ec',
      curve: 'P-256',
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      ],
    });
    const leaf = await generate([{ name: 'commonName', value: 'localhost' }], {
      ...days,
      keyType: 'ec',
      curve: 'P-256',
      algorithm: 'sha256',
      ca: { key: authority.private, cert: authority.cert },
      extensions: [
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames: ALT_NAMES },
      ],
    });
    writeFileSync(caFile, authority.cert);
    writeFileSync(keyFile, leaf.private, { mode: 0o600 });
    writeFileSync(certFile, `${leaf.cert.trim()}\n${authority.cert.trim()}\n`);
    return { certFile, keyFile, caFile };
  });
