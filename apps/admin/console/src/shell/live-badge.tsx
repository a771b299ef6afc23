import { type Liveness, useLive } from '../api/live';
import { useT } from '../i18n/i18n';
import { StatusBadge, type Tone } from '../shared/status-badge';

const TONES: Readonly<Record<Liveness, Tone>> = {
  live: 'ok',
  reconnecting: 'wait',
  offline: 'bad',
};

/** Whether the page receives live updates. */
export const LiveBadge = () => {
  const t = useT();
  const liveness = useLive();
  return (
    <span role="status">
      <StatusBadge tone={TONES[liveness]} label={t.shell.liveness[liveness]} />
    </span>
  );
};
