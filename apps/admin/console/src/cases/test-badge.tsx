import { useT } from '../i18n/i18n';
import { StatusBadge } from '../shared/status-badge';
import { useHasLive } from './case';

/** Marks an entry of mode test, once it is known that there is a live merchant or account. */
export const TestBadge = ({ mode }: { readonly mode: 'test' | 'live' | null }) => {
  const t = useT();
  const isTest = mode === 'test';
  const hasLive = useHasLive(isTest);
  return isTest && hasLive && <StatusBadge tone="calm" label={t.money.modes.test} />;
};
