import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client';
import type { paths } from '../api/schema';
import { EntityLink } from '../entity/entity-link';
import { auditText } from '../i18n/audit-text';
import { useT } from '../i18n/i18n';
import type { Dictionary } from '../i18n/en';
import type { Column } from '../list/data-table';
import type { FilterField } from '../list/filter-field';
import { ListPage } from '../list/list-page';
import { choicesOf } from '../list/status-choices';
import type { PageQuery } from '../list/use-pages';
import { useMay } from '../session/session-context';
import { Json } from '../shared/json';
import { Time } from '../shared/time';
import { systemActorName } from '../users/actor-name';

type Entry = Schemas['AuditItem'];
type Query = NonNullable<paths['/v1/audit']['get']['parameters']['query']>;
type Filter = Exclude<keyof Query, 'cursor' | 'limit'>;

const read = (query: PageQuery, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/audit', { params: { query: query as Query }, signal }));

const Detail = ({ detail, action }: Pick<Entry, 'detail' | 'action'>) => {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  if (Object.keys(detail).length === 0) return null;
  return (
    <div>
      <UnstyledButton
        className="link"
        fz="inherit"
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
      >
        {isOpen ? t.audit.hide : t.audit.show}
        <span className="visually-hidden"> {action}</span>
      </UnstyledButton>
      {isOpen && <Json label={t.shared.details} value={detail} />}
    </div>
  );
};

/** Shows the subject of an audit entry: a user by name, any other subject by its id. */
const Subject = ({ subjectType, subjectId, subjectName }: Entry) => {
  if (subjectId === null) return null;
  if (subjectName === null) return <EntityLink type={subjectType} id={subjectId} />;
  return <span title={subjectId}>{subjectName}</span>;
};

const columnsOf = (t: Dictionary): readonly Column<Entry>[] => [
  { id: 'at', header: t.shared.at, cell: ({ at }) => <Time at={at} /> },
  {
    id: 'who',
    header: t.audit.who,
    cell: ({ actor, actorName }) => (
      <span title={actor}>{actorName ?? systemActorName(t, actor)}</span>
    ),
  },
  {
    id: 'action',
    header: t.audit.action,
    cell: ({ action, detail }) => <span title={action}>{auditText(t, action, detail)}</span>,
  },
  { id: 'subject', header: t.audit.subject, cell: (entry) => <Subject {...entry} /> },
  { id: 'reason', header: t.shared.reason, cell: ({ reason }) => reason },
  { id: 'detail', header: t.shared.details, cell: (entry) => <Detail {...entry} /> },
];

const fieldsOf = (t: Dictionary): readonly FilterField<Filter>[] => [
  {
    name: 'action',
    label: t.audit.action,
    kind: 'choice',
    choices: choicesOf(t.auditActions),
  },
  { name: 'actor', label: t.audit.who, kind: 'text' },
  { name: 'subjectId', label: t.audit.subject, kind: 'text' },
  { name: 'from', label: t.shared.from, kind: 'day' },
  { name: 'to', label: t.shared.to, kind: 'day' },
];

export const AuditPage = () => {
  const t = useT();
  const mayExport = useMay('operator');
  return (
    <ListPage
      none={t.audit.none}
      name="audit"
      title={t.audit.title}
      lead={t.audit.lead}
      fields={fieldsOf(t)}
      columns={columnsOf(t)}
      keyOf={({ id }) => id}
      read={read}
      csvPath={mayExport ? '/v1/audit.csv' : null}
    />
  );
};
