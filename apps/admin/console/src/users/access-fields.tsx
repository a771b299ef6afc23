import { Textarea } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { limitsOf, scopeOf } from './access-text';

interface AccessFieldsProps {
  readonly scope: string;
  readonly limits: string;
  readonly onScope: (typed: string) => void;
  readonly onLimits: (typed: string) => void;
}

/**
 * The fields for the visible platforms and merchants and for the amount limits, with one entry per
 * line.
 */
export const AccessFields = ({ scope, limits, onScope, onLimits }: AccessFieldsProps) => {
  const t = useT();
  return (
    <>
      <Textarea
        label={t.users.scope}
        description={t.users.scopeHint}
        value={scope}
        autosize
        minRows={2}
        error={scopeOf(scope) === null && t.users.scopeWrong}
        onChange={(event) => onScope(event.target.value)}
      />
      <Textarea
        label={t.users.limits}
        description={t.users.limitsHint}
        value={limits}
        autosize
        minRows={2}
        error={limitsOf(limits) === null && t.users.limitsWrong}
        onChange={(event) => onLimits(event.target.value)}
      />
    </>
  );
};
