/**
 * One validation error of a request; the path of the field is written as in the API, e.g.
 * `user.contact.email`.
 */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

export type PartnerErrorType =
  | 'unauthorized'
  | 'validation'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'email-unavailable'
  | 'email-terminated'
  | 'not-allowed'
  | 'sandbox-only'
  | 'unsupported-media-type'
  | 'too-large'
  | 'refused'
  | 'internal';

export interface PartnerErrorBody {
  readonly message: string;
  readonly type: PartnerErrorType;
  /** Present in 422 responses only. */
  readonly errors?: readonly FieldFault[];
}

/**
 * An error response in the format of the onboarding API
 * (docs/provider/onboarding-completion.md#errors).
 */
export class PartnerError extends Error {
  override readonly name = 'PartnerError';
  readonly body: PartnerErrorBody;

  constructor(
    readonly status: number,
    type: PartnerErrorType,
    message: string,
    readonly more: {
      readonly errors?: readonly FieldFault[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    const { errors } = more;
    this.body = { message, type, ...(errors === undefined ? {} : { errors }) };
  }
}

export const unauthorizedPartner = (): PartnerError =>
  new PartnerError(401, 'unauthorized', 'the partner key is missing or unknown', {
    headers: { 'www-authenticate': 'Basic' },
  });

/**
 * The 404 response for an unknown object; `what` names the kind of the object, e.g. `company`.
 * Objects of other partners count as unknown.
 */
export const partnerNotFound = (what: string, id: string): PartnerError =>
  new PartnerError(404, 'not-found', `no ${what} ${id}`);

/** The error when the current state forbids the request. */
export const notAllowed = (message: string): PartnerError =>
  new PartnerError(409, 'not-allowed', message);

export const invalidFields = (...errors: readonly FieldFault[]): PartnerError =>
  new PartnerError(422, 'validation', 'the request is not valid', { errors });

export const wrongMediaType = (message: string): PartnerError =>
  new PartnerError(415, 'unsupported-media-type', message);

export const tooLarge = (message: string): PartnerError =>
  new PartnerError(413, 'too-large', message);
