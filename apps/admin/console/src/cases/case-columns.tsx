import { Text } from '@mantine/core';
import { Link } from 'wouter';
import { EntityLink } from '../entity/entity-link';
import type { Dictionary } from '../i18n/en';
import { useI18n } from '../i18n/i18n';
import type { Column } from '../list/data-table';
import { Note } from '../shared/note';
import { StatusBadge, type Tone } from '../shared/status-badge';
import { Age } from '../shared/time';
import { type Case, isIncident, pathOfCase } from './case';
import { CaseStep } from './case-step';
import { TestBadge } from './test-badge';
import { amountsText, detailOf, partOf, titleOf } from './case-texts';

const ACTS_TONES: Readonly<Record<Case['acts'], Tone>> = {
  operator: 'bad',
  approver: 'wait',
  platform: 'calm',
  provider: 'busy',
};

export const ActsBadge = ({ acts, t }: Pick<Case, 'acts'> & { readonly t: Dictionary }) => (
  <StatusBadge tone={ACTS_TONES[acts]} label={t.cases.acts[acts]} />
);

interface TitleProps {
  readonly row: Case;
  readonly t: Dictionary;
  /** Expands or hides the cases of an incident; absent for a single case. */
  readonly toggle?: { readonly isOpen: boolean; readonly onClick: () => void };
}

/**
 * The title of a case or incident in a table, with a detail such as the kind of break and the
 * recorded reason.
 */
const Title = ({ row, t, toggle }: TitleProps) => {
  const { locale } = useI18n();
  const part = partOf(t, row);
  const detail = detailOf(t, row, locale);
  return (
    <div>
      {toggle === undefined ? (
        <Link href={pathOfCase(row.id)} className="link">
          <strong>{titleOf(t, row)}</strong>
        </Link>
      ) : (
        <button
          type="button"
          className="link plain"
          aria-expanded={toggle.isOpen}
          onClick={toggle.onClick}
        >
          <strong>{titleOf(t, row)}</strong> {toggle.isOpen ? '▾' : '▸'}
        </button>
      )}{' '}
      <TestBadge mode={row.mode} />
      <Text size="sm" c="dimmed" className="prose">
        {toggle === undefined && part !== null && <span>{part}</span>}
        {detail !== null && (
          <>
            {toggle === undefined && part !== null && ' · '}
            <Note text={detail} />
          </>
        )}
      </Text>
    </div>
  );
};

interface ColumnOptions {
  readonly t: Dictionary;
  readonly locale: string;
  readonly nameOf: (actor: string) => string;
  /**
   * The expanded incident, and the function that expands another incident; absent if the table
   * shows single cases only.
   */
  readonly expanded?: {
    readonly incident: string | null;
    readonly set: (incident: string | null) => void;
  };
}

/** The columns of the tables of cases. */
export const caseColumns = ({
  t,
  locale,
  nameOf,
  expanded,
}: ColumnOptions): readonly Column<Case>[] => {
  const isGroup = (row: Case): boolean => expanded !== undefined && isIncident(row);
  return [
    {
      id: 'case',
      header: t.cases.case,
      cell: (row) => {
        if (expanded === undefined || !isIncident(row))
          return <Title row={{ ...row, cases: 1 }} t={t} />;
        const isOpen = expanded.incident === row.incident;
        const onClick = (): void => expanded.set(isOpen ? null : row.incident);
        return <Title row={row} t={t} toggle={{ isOpen, onClick }} />;
      },
    },
    {
      id: 'subject',
      header: t.cases.subject,
      cell: (row) => !isGroup(row) && <EntityLink type={row.subjectType} id={row.subjectId} />,
    },
    {
      id: 'risk',
      header: t.cases.atRisk,
      isNumber: true,
      cell: (row) => (
        <strong className="nowrap">
          {amountsText(
            isGroup(row) ? row.amounts : { [row.currency ?? '']: row.amountMinor },
            locale,
          )}
        </strong>
      ),
    },
    {
      id: 'since',
      header: t.cases.since,
      cell: (row) => <Age at={isGroup(row) ? row.begun : row.since} />,
    },
    {
      id: 'deadline',
      header: t.cases.deadline,
      cell: ({ deadline }) => deadline !== null && <Age at={deadline} />,
    },
    { id: 'acts', header: t.cases.actsNext, cell: ({ acts }) => <ActsBadge acts={acts} t={t} /> },
    {
      id: 'owner',
      header: t.cases.owner,
      cell: ({ ownerId }) => ownerId !== null && nameOf(`user:${ownerId}`),
    },
    {
      id: 'step',
      header: t.actions.column,
      cell: (row) => <CaseStep row={isGroup(row) ? row : { ...row, cases: 1 }} isCompact />,
    },
  ];
};
