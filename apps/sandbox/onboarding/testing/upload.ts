import { checkedJson, type Harness } from '../../testing/harness.js';
import type { CompanyReply } from './company.js';
import type { PartnerReply } from './partner.js';

/** The smallest file of each accepted type, and a file of a type that is not accepted. */
export const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n', 'latin1');
export const JPEG = Buffer.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0xff, 0xd9,
]);
export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
export const EXECUTABLE = Buffer.from('7f454c4602010100000000000000000002003e00', 'hex');

export const META = {
  'date-issue': '2020-01-02',
  'date-expiry': '2035-01-01',
  number: 'X4RTBPFW4',
};

export interface SentFile {
  readonly bytes: Buffer;
  readonly name?: string;
  readonly type?: string;
}

const formOf = (files: readonly SentFile[], meta: unknown): FormData => {
  const form = new FormData();
  for (const { bytes, name = 'paper.pdf', type = 'application/pdf' } of files) {
    form.append('file', new Blob([new Uint8Array(bytes)], { type }), name);
  }
  if (meta !== undefined) {
    const json = typeof meta === 'string' ? meta : JSON.stringify(meta);
    form.append('meta', new Blob([json], { type: 'application/json' }), 'meta.json');
  }
  return form;
};

/** An upload URL of a response, with the public host replaced by that of the spec's sandbox. */
export const localUrl = (sandbox: Harness, address: string): string =>
  `${sandbox.url}${new URL(address).pathname}`;

/** Uploads files to an upload URL, without a key. */
export const send = async (
  sandbox: Harness,
  address: string,
  files: readonly SentFile[],
  meta?: unknown,
  method: 'POST' | 'PATCH' = 'POST',
): Promise<PartnerReply> => {
  const body = formOf(files, meta);
  const url = localUrl(sandbox, address);
  const answer = await fetch(url, { method, body });
  const { status, headers } = answer;
  const response = { status, headers, text: await answer.text() };
  const json = checkedJson(response, { method, path: new URL(url).pathname });
  return { status, headers, body: json as never };
};

/** The upload URL of a company document. */
export const addressOf = (company: CompanyReply, document: string): string => {
  const found = company['documents-to-upload']['company-documents'].find(
    (expected) => expected.document === document,
  );
  if (found === undefined) throw new Error(`no ${document} is expected`);
  return found['upload-url'];
};

/** Uploads every expected document of a company. */
export const sendAll = async (sandbox: Harness, company: CompanyReply): Promise<void> => {
  const { 'identity-documents': cards } = company['documents-to-upload'];
  const answers = await Promise.all([
    ...['kbis', 'iban'].map((document) =>
      send(sandbox, addressOf(company, document), [{ bytes: PDF }]),
    ),
    ...cards.map((card) =>
      send(sandbox, card['upload-url'], [{ bytes: JPEG }, { bytes: PNG }], META),
    ),
  ]);
  const refused = answers.find(({ status }) => status !== 200);
  if (refused !== undefined) throw new Error(`refused: ${JSON.stringify(refused.body)}`);
};
