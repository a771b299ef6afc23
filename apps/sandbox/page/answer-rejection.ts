import type { FastifyReply } from 'fastify';
import { Rejection } from '#kernel';

const STATUS_OF: Readonly<Record<string, number>> = {
  not_found: 404, not_payable: 409, session_over: 409, signing_over: 409, invalid_card: 422,
  invalid_account: 422,
};

/** What the page's script is told when the business says no; any other error is not ours. */
export const answerRejection = (error: unknown, reply: FastifyReply): object => {
  if (!(error instanceof Rejection)) throw error;
  void reply.status(STATUS_OF[error.code] ?? 422);
  return { error: error.code, ...error.details };
};
