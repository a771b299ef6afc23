import { useLive } from '../api/live';
import { useT } from '../i18n/i18n';
import { StatusBadge } from '../shared/status-badge';

/** Whether what one sees keeps itself fresh. */
export const LiveBadge = () => {
  const t = useT();
  const isLive = useLive();
  return (
    <span role="status">
      <StatusBadge tone={isLive ? 'ok' : 'wait'} label={isLive ? t.shell.live : t.shell.liveOff} />
    </span>
  );
};
