import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { type TestBrowser, waitFor } from '#testing';
import { stateDir } from '../../tools/infra/paths.mjs';
import { freePort, isPortFree, scratchDir } from '../../tools/infra/processes.mjs';
import type { Block } from '../../tools/snippets.fixture.js';
import type { Stack } from '../../tools/stack/stack.js';
import { differences } from './alike.js';
import { type Places, replaced } from './places.js';
import { Shell } from './shell.js';

/** A command of the guides that is skipped, because this spec has already started the product. */
const START = 'npm run demo';
/** Matches the URL of a page for a payer or a merchant in the output of a command. */
const HOSTED_PAGE = /https?:\/\/[^\s"]+\/(?:pay|subscription)\/\w+/g;
/** Matches a command that starts a program in the background, such as a server on port 3000. */
const IN_BACKGROUND = /&\s*$/;
/** The time limit for repeating a read until its output equals the guide's. */
const PATIENCE_MS = 20_000;

/**
 * Whether the commands only read, so that they can be repeated until the output equals the guide's.
 */
const areReads = (commands: string): boolean => !/\s(?:-d|-F|-X|--data\S*)\s|&\s*$/.test(commands);

/**
 * Runs the code blocks of a guide from top to bottom. A `sh` block runs in a shell, and its output
 * must equal the `json` block after it. A `js` block is saved in a file whose name is in the
 * block's first line. A `text` block contains steps on the hosted page whose URL was the last in an
 * output: a label with a value to enter, a `[Button]` to press, or a text that then appears. An
 * `html` block is a page of the platform that shows the hosted page in a frame.
 */
export class Reader {
  private readonly folder = scratchDir(mkdtempSync(join(stateDir('run'), 'guide-')));
  private readonly shell = new Shell(this.folder);
  private readonly places: Places;
  /**
   * The server of the platform's page that shows the payment page in a frame. `sent` contains the
   * paths of the POST requests that the server received.
   */
  private site: Server | null = null;
  private readonly sent: string[] = [];
  /** All outputs so far, beginning with the output of the demo's start. */
  private seen: string;

  private constructor(
    private readonly browser: TestBrowser,
    stack: Stack,
    private readonly port: number,
    private readonly patienceMs: number,
  ) {
    this.places = [
      ['http://127.0.0.1:4100', stack.apis[0]?.url ?? ''],
      ['http://127.0.0.1:4103', stack.sandbox.url],
      ['127.0.0.1:3000', `127.0.0.1:${port}`],
      ['listen(3000', `listen(${port}`],
      ['merchant-7', stack.merchantId],
    ];
    const { apiKey, databases, env } = stack;
    this.seen = `${apiKey} ${databases.orchestrator} ${env['SANDBOX_LIVE_KEY']}`;
  }

  static async open(browser: TestBrowser, stack: Stack, patienceMs = PATIENCE_MS): Promise<Reader> {
    return new Reader(browser, stack, await freePort(), patienceMs);
  }

  async read(blocks: readonly Block[]): Promise<void> {
    for (const [index, block] of blocks.entries()) {
      const next = blocks[index + 1];
      const shown = next?.language === 'json' ? next.code : null;
      if (block.language === 'json' && blocks[index - 1]?.language !== 'sh')
        throw new Error(`there are no commands before this answer:\n${block.code}`);
      await this.follow(block, shown);
    }
  }

  async close(): Promise<void> {
    this.site?.close();
    this.site?.closeAllConnections();
    await this.shell.stop();
  }

  private async follow({ language, code }: Block, shown: string | null): Promise<void> {
    switch (language) {
      case 'sh':
        if (code.trim() !== START) await this.command(code, shown);
        return;
      case 'json': // Compared with the answer of the commands before it.
      case 'mermaid':
      case 'python': // Run by webhook-guide.spec.ts.
        return;
      case 'js':
        writeFileSync(join(this.folder, /^\/\/ (\S+)/.exec(code)?.[1] ?? ''), this.here(code));
        return;
      case 'html':
        return this.serve(code);
      case 'text':
        return this.type(code);
      default:
        throw new Error(`a block in ${language} cannot be run:\n${code}`);
    }
  }

  private async command(code: string, shown: string | null): Promise<void> {
    const commands = this.here(code);
    if (shown === null) {
      this.keep((await this.shell.run(commands, true)).output);
      if (IN_BACKGROUND.test(code)) await this.until(async () => !(await isPortFree(this.port)));
      return;
    }
    const once = async (): Promise<void> => {
      const { output } = await this.shell.run(commands, false);
      const found = differences(JSON.parse(shown), this.answer(output, code));
      if (found.length > 0) throw new Error(`${code}${found.join('\n')}\n${output}`);
      this.keep(output);
    };
    await (areReads(code) ? this.until(async () => (await once(), true)) : once());
  }

  /** Waits until `isSo` returns true; rejects with the failure of the last attempt. */
  private async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const options = { timeoutMs: this.patienceMs, everyMs: 200 };
    await waitFor(isSo, options).catch((error: Error) => {
      throw error.cause ?? error;
    });
  }

  /** The JSON of an output, with the URLs of this spec replaced by those that the guides show. */
  private answer(output: string, code: string): unknown {
    const back = this.places.map(([shown, actual]) => [actual, shown] as const);
    try {
      return JSON.parse(replaced(output, back));
    } catch (cause) {
      throw new Error(`${code}the answer is not JSON: ${output}`, { cause });
    }
  }

  private keep(output: string): void {
    this.seen += `\n${output}`;
  }

  /**
   * The code of a block with the URLs of this spec. An abbreviated id such as `ord_…` is replaced
   * by the latest id with this prefix in an output, and `postgres://…` by the URL of the database.
   */
  private here(code: string): string {
    return replaced(code, this.places).replaceAll(
      /\b([a-z]+(?:_|:\/\/))…/g,
      (whole, prefix: string) => {
        const found = this.seen.match(new RegExp(String.raw`\b${prefix}[^\s"',]+`, 'g'))?.at(-1);
        if (found === undefined)
          throw new Error(`no answer before this contains ${whole}:\n${code}`);
        return found;
      },
    );
  }

  /** Serves a page of the platform that shows the payment page in a frame. */
  private async serve(code: string): Promise<void> {
    const pageUrl = this.seen.match(HOSTED_PAGE)?.at(-1) ?? '';
    const html = this.here(code).replaceAll(/https?:\/\/\S+\/pay\/pi_\w+/g, pageUrl);
    const site = createServer((request, response) => {
      if (request.method === 'POST') this.sent.push(String(request.url));
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    this.site = site;
  }

  private async type(code: string): Promise<void> {
    const page = await this.browser.page();
    const form = this.site === null ? await this.hosted(page) : await this.framed(page, this.site);
    for (const line of code.split('\n').filter((one) => one.trim() !== '')) {
      const button = /^\s*\[(.+)\]$/.exec(line)?.[1];
      const [label = '', value] = line.split(/\s{2,}/);
      if (button !== undefined) await form.getByRole('button', { name: button }).click();
      else if (value === undefined) await form.getByText(label).first().waitFor();
      else await form.getByLabel(label, { exact: true }).fill(this.typed(value));
    }
    if (this.site !== null) await this.until(() => this.sent.length > 0);
  }

  /** The value to enter; `…` stands for the sign-in code in the latest message. */
  private typed(value: string): string {
    return value === '…' ? (/.*"text":"(\d{4})/s.exec(this.seen)?.[1] ?? '') : value;
  }

  private async hosted(page: Page): Promise<Page> {
    const url = this.seen.match(HOSTED_PAGE)?.at(-1) ?? '';
    if (page.url() !== url) await page.goto(url);
    return page;
  }

  private async framed(page: Page, site: Server): Promise<FrameLocator> {
    const { port } = site.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/`);
    return page.frameLocator('iframe');
  }
}
