import { createContext, lazy, type ReactNode, Suspense, use, useState } from 'react';
import type { Action } from '../actions/action';

/** The dialog is loaded when it is first opened. */
const DecideDialog = lazy(async () => ({
  default: (await import('../approvals/decide-dialog')).DecideDialog,
}));

const DecideContext = createContext<(action: Action) => void>(() => {});

/** Opens the dialog in which an action is approved. */
export const useDecide = () => use(DecideContext);

/**
 * Renders the approval dialog outside the list of cases: an approval may remove the row from which
 * the dialog was opened, and the dialog must stay open.
 */
export const DecideHost = ({ children }: { readonly children: ReactNode }) => {
  const [action, setAction] = useState<Action | null>(null);
  return (
    <DecideContext value={setAction}>
      {children}
      <Suspense>
        {action !== null && (
          <DecideDialog decision={{ kind: 'approve', action }} onClose={() => setAction(null)} />
        )}
      </Suspense>
    </DecideContext>
  );
};
