import { Text, Title } from '@mantine/core';
import type { TimelineEntry } from '../entity/entity-types';
import { merchantTone } from '../entity/merchant-status';
import { useT } from '../i18n/i18n';
import { StatusBadge } from '../shared/status-badge';
import { Age } from '../shared/time';
import styles from './registration.module.css';
import { type RegistrationStep, STEP_TONES, stepsOf } from './registration-steps';
import { requirementText } from './requirement';

interface RegistrationProps {
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
  /** The merchant's events, oldest first. */
  readonly events: readonly TimelineEntry[];
}

/**
 * The company's status at the provider, its start, and the time of the last read of the
 * requirements.
 */
const AtProvider = ({ state, events }: Omit<RegistrationProps, 'id'>) => {
  const t = useT();
  const { status, companyId, requirements } = state;
  if (typeof companyId !== 'string' || typeof status !== 'string') return null;
  const since = events.findLast(
    ({ name }) => name === 'CompanyStatusChanged' || name === 'CompanyRegistered',
  );
  const readAt = (requirements as { readonly readAt?: string } | null | undefined)?.readAt;
  return (
    <Text size="sm" component="div" className={styles['provider']}>
      <span>{t.merchants.providerShows}</span>
      <StatusBadge tone={merchantTone(status)} label={t.merchants.statuses[status] ?? status} />
      {since !== undefined && (
        <span>
          {t.merchants.since} <Age at={since.at} />
        </span>
      )}
      {readAt !== undefined && (
        <Text span size="sm" c="dimmed">
          {t.merchants.requirementsRead} <Age at={readAt} />
        </Text>
      )}
    </Text>
  );
};

const StepRow = ({ id, step }: { readonly id: string; readonly step: RegistrationStep }) => {
  const t = useT();
  const { name, state, missing } = step;
  return (
    <li className={styles['step']}>
      <StatusBadge tone={STEP_TONES[state]} label={t.merchants.stepStates[state]} />
      <div>
        <span>{t.merchants.steps[name]}</span>
        {missing.length > 0 && name !== 'signature' && (
          <ul className={styles['missing']}>
            {missing.map((item) => (
              <li key={item}>{requirementText(t, item)}</li>
            ))}
          </ul>
        )}
        {name === 'signature' && state === 'missing' && (
          <Text size="sm" c="dimmed" className="prose">
            {t.merchants.signingLink}{' '}
            <code className="mono">POST /v1/merchants/{id}/subscription-link</code>
          </Text>
        )}
      </div>
    </li>
  );
};

/**
 * The checklist of a merchant's registration: completed steps, missing requirements, and who must
 * act.
 */
export const Registration = ({ id, state, events }: RegistrationProps) => {
  const t = useT();
  return (
    <section className={`card ${styles['panel']}`} aria-labelledby="registration">
      <Title order={2} size="h4" id="registration">
        {t.merchants.registration}
      </Title>
      <AtProvider state={state} events={events} />
      <ol className={styles['steps']}>
        {stepsOf(state).map((step) => (
          <StepRow key={step.name} id={id} step={step} />
        ))}
      </ol>
    </section>
  );
};
