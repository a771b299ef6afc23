import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** What is wrong with a form as a whole; read out when it comes. */
export const FormError = ({ text }: { readonly text: ReactNode }) => (
  <div aria-live="assertive">
    {text !== null && (
      <Alert variant="outline" color="red" c="inherit">
        {text}
      </Alert>
    )}
  </div>
);
