import { Component, type ReactNode } from 'react';
import { ProblemAlert } from './problem-alert';

interface Props {
  readonly children: ReactNode;
}

/**
 * A page that broke leaves the menu usable; also one whose files a new release has replaced. It
 * keeps its error: give it the page's address as its key.
 */
export class ErrorBoundary extends Component<Props, { readonly error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ProblemAlert error={error} retry={() => location.reload()} />;
  }
}
