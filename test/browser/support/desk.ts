import type { BrowserContext, Locator, Page } from 'playwright-core';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { launchBrowser, type TestBrowser } from '#testing';
import { consoleUsers } from '../../../tools/ops-console-users.js';
import type { Flow } from '../../support/flow.js';
import type { Language } from './labels.js';

const WAIT_MS = 20_000;
const LOCALES = { en: 'en-GB', fr: 'fr-FR' } as const satisfies Record<Language, string>;

/** A person at the console, whose clicks are counted. */
export class Person {
  clicks = 0;

  constructor(
    readonly page: Page,
    readonly language: Language,
  ) {}

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.first().click();
  }
}

/** The console of the whole product, for operators with different languages in one browser. */
export class Desk {
  private readonly contexts = new Map<Language, BrowserContext>();

  private constructor(
    private readonly browser: TestBrowser,
    private readonly url: string,
    readonly pool: Pool,
  ) {}

  static async open({ stack }: Flow): Promise<Desk> {
    const pool = new Pool({ connectionString: stack.databases.orchestrator, max: 2 });
    return new Desk(await launchBrowser(), stack.admin?.url ?? '', pool);
  }

  async close(): Promise<void> {
    for (const context of this.contexts.values()) await context.close();
    await this.browser.close();
    await this.pool.end();
  }

  /**
   * The browser context for a language. It is reused, because each new context loads every script
   * again.
   */
  private async contextIn(language: Language): Promise<BrowserContext> {
    const open = this.contexts.get(language);
    if (open !== undefined) return open;
    const browser = this.browser.context.browser();
    if (browser === null) throw new Error('the browser has ended');
    const locale = LOCALES[language];
    const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
    context.setDefaultTimeout(WAIT_MS);
    this.contexts.set(language, context);
    return context;
  }

  /**
   * Opens the overview of the console in this language for a new operator, who replaces the earlier
   * operator of this language.
   */
  async operator(language: Language): Promise<Person> {
    const context = await this.contextIn(language);
    await context.clearCookies();
    const [name = '', value = ''] = (await this.signIn()).split('=');
    await context.addCookies([{ name, value, url: this.url }]);
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(this.url);
    await page.locator('#main h1').waitFor();
    return new Person(page, language);
  }

  /** Creates an operator and signs it in; returns the session's cookie. */
  private async signIn(): Promise<string> {
    const name = newId('usr').toLowerCase();
    const origin = { actor: 'ops:spec', requestId: 'spec' };
    const users = consoleUsers(this.pool);
    const { user, oneTimePassword } = await users.create(name, 'operator', origin, 'for a spec');
    await this.pool.query('UPDATE admin_users SET password_expires_at = NULL WHERE id = $1', [
      user.id,
    ]);
    const answer = await fetch(`${this.url}/v1/session`, {
      method: 'POST',
      headers: { origin: this.url, 'content-type': 'application/json' },
      body: JSON.stringify({ name, password: oneTimePassword }),
    });
    if (answer.status !== 201) throw new Error(`the user cannot sign in: ${answer.status}`);
    const cookies = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0] ?? '');
    return cookies.find((one) => !/^(?:__Host-)?device=/.test(one)) ?? '';
  }
}
