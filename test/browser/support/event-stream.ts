import type { Page } from 'playwright-core';
import { waitFor } from '#testing';

/**
 * Controls the change events that one page receives. Each call of `happen` sends one event, after
 * which the page reads all of its data again.
 */
export class DelayedChanges {
  private release: (() => void) | null = null;

  static async of(page: Page): Promise<DelayedChanges> {
    const changes = new DelayedChanges();
    await page.route('**/v1/changes', async (route) => {
      await new Promise<void>((resolve) => {
        changes.release = resolve;
      });
      await route.fulfill({
        contentType: 'text/event-stream',
        body: 'retry: 10\nevent: many\ndata: {}\n\n',
      });
    });
    return changes;
  }

  /** Waits until the page has connected or reconnected, then delivers a change. */
  async happen(): Promise<void> {
    const release = await waitFor(() => this.release);
    this.release = null;
    release();
  }
}
