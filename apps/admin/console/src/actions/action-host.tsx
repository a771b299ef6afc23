import { lazy, type ReactNode, Suspense, useState } from 'react';
import { OpenContext, type Opened } from './open-action';

/** Loaded when something is first put right. */
const ActionDialog = lazy(async () => ({
  default: (await import('./action-dialog')).ActionDialog,
}));

/** Has the dialog, which outlives what it was opened from: a row goes when its trouble is over. */
export const ActionHost = ({ children }: { readonly children: ReactNode }) => {
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <OpenContext value={setOpened}>
      {children}
      <Suspense>
        {opened !== null && (
          <ActionDialog
            key={JSON.stringify(opened.wish)}
            {...opened}
            onClose={() => setOpened(null)}
          />
        )}
      </Suspense>
    </OpenContext>
  );
};
