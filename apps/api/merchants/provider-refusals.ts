import { Problem, type ProblemDetail } from '#platform';
import { type OnboardingRefusal, ProviderRejected } from '#psp';
import { type Code, ERROR_CODES, problem } from '../shared/error-codes.js';
import { pointerOf } from './details/given.js';

/** The resource that was requested, because the provider's 404 does not name it. */
export type Asked = 'company' | 'person' | 'document';

interface Refusal {
  readonly code: Code;
  /** The detail of the problem, if it differs from the default detail of the error code. */
  readonly detail?: string;
  /** The field to report when the refusal names no field. */
  readonly field?: string;
}

/**
 * The provider's refusals that a platform can act on. Any other refusal is a bug of ours, reported
 * as 502.
 */
const REFUSALS: Readonly<Record<Exclude<OnboardingRefusal, 'not_found'>, Refusal>> = {
  validation: { code: 'validation_failed' },
  email_unavailable: { code: 'email_unavailable', field: 'contact.email' },
  email_terminated: { code: 'email_terminated', field: 'contact.email' },
  not_allowed: { code: 'not_allowed' },
  conflict: { code: 'provider_conflict' },
  too_large: { code: 'document_too_large', field: 'file' },
  unsupported_media_type: {
    code: 'unsupported_document_type',
    field: 'file',
    detail:
      'the file type is not accepted for this document: send PDF, JPEG or PNG, and ' +
      'only PDF for `bank_account_proof`',
  },
};

const known = (code: string | null): Refusal | null =>
  code !== null && Object.hasOwn(REFUSALS, code) ? REFUSALS[code as keyof typeof REFUSALS] : null;

const refusalOf = ({ code }: ProviderRejected, asked: Asked): Refusal | null => {
  if (code !== 'not_found') return known(code);
  return asked === 'company' ? null : { code: `${asked}_not_found` };
};

const detailOf = ({ code, detail }: Refusal): string => detail ?? ERROR_CODES[code].detail;

const errorsOf = (
  { faults }: ProviderRejected,
  refusal: Refusal,
  root: readonly string[],
): readonly ProblemDetail[] => {
  const { field } = refusal;
  const detail = detailOf(refusal);
  if (faults.length === 0 && field !== undefined) {
    return [{ detail, pointer: pointerOf(field, root) }];
  }
  return faults.map(({ field: path, message }) => ({
    detail: message === '' ? detail : message,
    pointer: pointerOf(path, root),
  }));
};

/**
 * Maps a refusal of the provider to a problem that the platform can act on: a code, and the fields
 * of the request, below `root`, that caused it. Returns any other error unchanged.
 */
export const asOurs = (error: unknown, asked: Asked, root: readonly string[]): unknown => {
  if (!(error instanceof ProviderRejected)) return error;
  const refusal = refusalOf(error, asked);
  if (refusal === null) return error;
  const errors = errorsOf(error, refusal, root);
  return problem(refusal.code, { detail: detailOf(refusal), errors, cause: error });
};

/** Whether a mapped error reports that the provider does not have the requested resource. */
export const isNotFound = (error: unknown, asked: Asked): boolean =>
  error instanceof Problem && error.code === `${asked}_not_found`;

interface Rejected {
  readonly code: string;
  readonly detail: string;
  readonly pointers: readonly string[];
}

/** Whatever the provider's reason was, erased details cannot be corrected. */
export const ERASED_BEFORE_REGISTRATION: Rejected = {
  code: 'personal_data_erased',
  detail:
    'the personal data were erased before the company was registered: onboard the merchant ' +
    'again with another reference',
  pointers: [],
};

/** The reason of a rejected registration, as the merchant resource shows it. */
export const rejectionOf = (reason: string, fields: readonly string[]): Rejected => {
  const refusal = known(reason);
  if (refusal === null) {
    const detail = 'the provider rejected the details of the company: correct the listed fields';
    return { code: 'provider_rejected', detail, pointers: fields.map((path) => pointerOf(path)) };
  }
  const { code, field } = refusal;
  const paths = fields.length === 0 && field !== undefined ? [field] : fields;
  return { code, detail: detailOf(refusal), pointers: paths.map((path) => pointerOf(path)) };
};
