import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

const USER_PRESENT = 1;
const HAS_CREDENTIAL = 0x40;

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
}

const bytes = (data: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length);
  return Buffer.concat([Buffer.of(0x59), length, data]);
};

const text = (word: string): Buffer =>
  Buffer.concat([Buffer.of(0x60 + word.length), Buffer.from(word)]);

/** A security key in software: an ES256 key pair that answers like a browser with such a key. */
export class SoftKey {
  readonly id = randomBytes(32).toString('base64url');
  counter = 0;
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(
    private readonly origin: string,
    /** The host for which the key signs, if it differs from the host in the options. */
    private readonly host: string | null = null,
  ) {}

  /** The answer to the options of a registration, as JSON. */
  create(options: string): string {
    const { challenge, rp } = JSON.parse(options) as Options;
    const { x = '', y = '' } = this.pair.publicKey.export({ format: 'jwk' });
    const publicKey = Buffer.concat([
      // A map of the key's type (EC2), algorithm (ES256), curve (P-256) and coordinates.
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, publicKey]);
    const attestation = Buffer.concat([
      Buffer.of(0xa3),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.of(0xa0),
      text('authData'),
      bytes(this.data(rp?.id ?? '', credential)),
    ]);
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['usb'],
    });
  }

  /** The signature of the options' challenge, as JSON. */
  get(options: string): string {
    const { challenge, rpId } = JSON.parse(options) as Options;
    this.counter += 1;
    const data = this.data(rpId ?? '');
    const clientData = this.clientData('webauthn.get', challenge);
    const signed = Buffer.concat([data, sha256(clientData)]);
    return this.answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.pair.privateKey).toString('base64url'),
    });
  }

  private answer(response: object): string {
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response,
      clientExtensionResults: {},
    });
  }

  private data(host: string, credential: Buffer = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = USER_PRESENT + (credential.length > 0 ? HAS_CREDENTIAL : 0);
    return Buffer.concat([sha256(this.host ?? host), Buffer.of(flags), counter, credential]);
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }),
    );
  }
}
