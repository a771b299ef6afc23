import { useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, csrf, type Schemas } from '../api/client';
import { useSessionChange } from './session-query';

/** A proof of a second factor: a code, or the answer of a security key. */
export type Proof = Schemas['ProofDto'];

/** The mutations that prove, set up and remove second factors. */
export const useFactors = () => {
  const queries = useQueryClient();
  const change = useSessionChange();
  return {
    giveSecondFactor: async (body: Proof): Promise<void> =>
      change(
        await bodyOf(api.POST('/v1/session/second-factor', { params: { header: csrf() }, body })),
      ),
    beginSecondFactor: (body: Proof): Promise<Schemas['NewSecondFactorAnswer']> =>
      bodyOf(api.POST('/v1/session/second-factor/begin', { params: { header: csrf() }, body })),
    confirmSecondFactor: async (code: string): Promise<void> => {
      const { session, recoveryCodes } = await bodyOf(
        api.POST('/v1/session/second-factor/confirm', {
          params: { header: csrf() },
          body: { code },
        }),
      );
      change(session, recoveryCodes);
    },
    challengeKeys: async (): Promise<string> =>
      (
        await bodyOf(
          api.POST('/v1/session/security-keys/challenge', { params: { header: csrf() } }),
        )
      ).options,
    beginKey: async (body: Proof): Promise<string> =>
      (
        await bodyOf(
          api.POST('/v1/session/security-keys/begin', { params: { header: csrf() }, body }),
        )
      ).options,
    confirmKey: async (name: string, key: string): Promise<void> => {
      const { session, recoveryCodes } = await bodyOf(
        api.POST('/v1/session/security-keys/confirm', {
          params: { header: csrf() },
          body: { name, key },
        }),
      );
      change(session, recoveryCodes.length === 0 ? null : recoveryCodes);
    },
    removeKey: async (id: string, body: Proof): Promise<void> => {
      await bodyOf(
        api.POST('/v1/session/security-keys/{id}/remove', {
          params: { header: csrf(), path: { id } },
          body,
        }),
      );
      void queries.invalidateQueries();
    },
  };
};
