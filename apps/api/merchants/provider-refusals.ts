import { Problem, type ProblemDetail } from '#platform';
import { type OnboardingRefusal, ProviderRejected } from '#psp';
import { pointerOf } from './details/given.js';

/** What was asked for, where the provider only says that it is not there. */
export type Asked = 'company' | 'head' | 'document';

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** The field, where the refusal names none. */
  readonly field?: string;
}

/** What is not here is our own mistake, and a 502. */
const REFUSALS: Readonly<Record<Exclude<OnboardingRefusal, 'not_found'>, Refusal>> = {
  validation: {
    status: 422,
    code: 'validation_failed',
    detail: 'some fields are not as they must be',
  },
  email_unavailable: {
    status: 409,
    code: 'email_unavailable',
    field: 'contact.email',
    detail: 'another merchant of the provider has this email: give another one',
  },
  email_terminated: {
    status: 409,
    code: 'email_terminated',
    field: 'contact.email',
    detail: 'the provider has ended a contract with this email: give another one',
  },
  not_allowed: {
    status: 409,
    code: 'not_allowed',
    detail: 'the provider does not allow this in the merchant’s present status',
  },
  conflict: {
    status: 409,
    code: 'provider_conflict',
    detail: 'this conflicts with what the provider has: the last representative stays',
  },
  too_large: {
    status: 413,
    code: 'document_too_large',
    field: 'file',
    detail: 'the file has more than 10 MiB',
  },
  unsupported_media_type: {
    status: 415,
    code: 'document_type',
    field: 'file',
    detail:
      'the file is not of a type that is taken for this document: PDF, JPEG or PNG by its ' +
      'content, and only PDF for `bank_account_proof`',
  },
};

const NOT_THERE: Readonly<Record<Exclude<Asked, 'company'>, Refusal>> = {
  head: { status: 404, code: 'head_not_found', detail: 'the merchant has no such person' },
  document: {
    status: 404,
    code: 'document_not_found',
    detail: 'the merchant has no such document',
  },
};

const known = (code: string | null): Refusal | null =>
  code !== null && Object.hasOwn(REFUSALS, code) ? REFUSALS[code as keyof typeof REFUSALS] : null;

const refusalOf = ({ code }: ProviderRejected, asked: Asked): Refusal | null => {
  if (code === 'not_found') return asked === 'company' ? null : NOT_THERE[asked];
  return known(code);
};

const errorsOf = (
  { faults }: ProviderRejected,
  { detail, field }: Refusal,
  root: readonly string[],
): readonly ProblemDetail[] => {
  if (faults.length === 0 && field !== undefined) {
    return [{ detail, pointer: pointerOf(field, root) }];
  }
  return faults.map(({ field: path, message }) => ({
    detail: message === '' ? detail : message,
    pointer: pointerOf(path, root),
  }));
};

/**
 * A refusal of the provider's as the platform can act on it: its code, and the fields of the
 * request, below `root`, that caused it. Anything else is as it was.
 */
export const asOurs = (error: unknown, asked: Asked, root: readonly string[]): unknown => {
  if (!(error instanceof ProviderRejected)) return error;
  const refusal = refusalOf(error, asked);
  if (refusal === null) return error;
  const errors = errorsOf(error, refusal, root);
  return new Problem(refusal.status, refusal.code, refusal.detail, {
    ...(errors.length === 0 ? {} : { errors }),
    cause: error,
  });
};

/** Why a registration was refused, as the merchant shows it later. */
export const rejectionOf = (
  reason: string,
  fields: readonly string[],
): { readonly code: string; readonly detail: string; readonly pointers: readonly string[] } => {
  const { code, detail, field } = known(reason) ?? {
    code: 'provider_rejected',
    detail: 'the provider refused the company',
    field: undefined,
  };
  const paths = fields.length === 0 && field !== undefined ? [field] : fields;
  return { code, detail, pointers: paths.map((path) => pointerOf(path)) };
};
