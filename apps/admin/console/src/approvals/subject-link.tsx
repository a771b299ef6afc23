import type { Action } from '../actions/action';
import { Link } from 'wouter';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';

/** The entity that an action affects, as a link to its page if it exists. */
export const SubjectLink = ({ action }: { readonly action: Action }) => {
  const t = useT();
  const { kind, status, about, subjectType, subjectId } = action;
  if (subjectType === 'incident') {
    return (
      <Link href="/cases" className="link">
        {t.cases.incident}
      </Link>
    );
  }
  if (kind === 'create_endpoint' && status !== 'done') {
    return <span className="mono">{subjectId}</span>;
  }
  if (subjectType === 'exception') {
    return (
      <Link
        href={`/reconciliation?id=${encodeURIComponent(subjectId)}`}
        className="link mono"
        title={subjectId}
      >
        {subjectId}
      </Link>
    );
  }
  return <EntityLink type={about?.subjectType ?? subjectType} id={about?.subjectId ?? subjectId} />;
};
