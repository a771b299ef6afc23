import type { Action } from '../actions/action';
import { EntityLink } from '../entity/entity-link';

/** The entity that an action affects, as a link to its page if it exists. */
export const SubjectLink = ({ action }: { readonly action: Action }) => {
  const { kind, status, about, subjectType, subjectId } = action;
  if (kind === 'create_endpoint' && status !== 'done') {
    return <span className="mono">{subjectId}</span>;
  }
  return <EntityLink type={about?.subjectType ?? subjectType} id={about?.subjectId ?? subjectId} />;
};
