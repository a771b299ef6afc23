import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { answer, shape } from '../../api/answers.js';
import { PartnerError } from '../../api/partner/partner-error.js';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import { CompanyStore } from '../../onboarding/companies/company-store.js';
import { type KeyPair, MerchantKeys } from '../../onboarding/merchant-keys/merchant-keys.js';
import {
  type CodeOutcome,
  SigningService,
  type SigningOutcome,
} from '../../onboarding/registration/signing.service.js';
import { TERMINAL_MOVES, type UserAreaMove } from '../../onboarding/terminals/terminal-status.js';
import { TerminalsService } from '../../onboarding/terminals/terminals.service.js';
import { wireCheck } from '../../onboarding/wire/wire-check.js';
import { SANDBOX_CONFIG, type SandboxConfig } from '../../settings/sandbox-config.js';
import { localeOf } from '../web/locale.js';
import { sendPage } from '../web/secure-reply.js';
import { noSubscriptionPage, subscriptionPage } from './subscription-page.js';

const POLICY = { frameAncestors: "'none'", frames: "'none'" };

const signBody = wireCheck(
  answer({
    code: shape<string>({ type: 'string', maxLength: 16 }),
    version: shape<number>({ type: 'integer', minimum: 1 }),
  }),
);
const moveBody = wireCheck(
  answer({
    move: shape<UserAreaMove>({ type: 'string', enum: TERMINAL_MOVES }),
  }),
);

/**
 * The page at `subscription-link`, and the requests of its script. The token in the link authorizes
 * them.
 */
@Controller('subscription')
export class SubscriptionController {
  constructor(
    @Inject(CompanyStore) private readonly store: CompanyStore,
    @Inject(SigningService) private readonly signing: SigningService,
    @Inject(TerminalsService) private readonly terminals: TerminalsService,
    @Inject(MerchantKeys) private readonly keys: MerchantKeys,
    @Inject(SandboxClock) private readonly clock: SandboxClock,
    @Inject(SANDBOX_CONFIG) private readonly config: SandboxConfig,
  ) {}

  @Get(':token')
  async show(
    @Param('token') token: string,
    @Headers('accept-language') language: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const locale = localeOf(language);
    const company = await this.store.readByLink(token);
    if (company === null) {
      sendPage(reply, 404, noSubscriptionPage(locale), POLICY);
      return;
    }
    const [terminals, keys] = await Promise.all([
      this.terminals.listOf(company.id, company.account_id),
      this.keys.shownState(company.id),
    ]);
    const view = { company, terminals, keys, hasInbox: this.config.control };
    sendPage(reply, 200, subscriptionPage(view, locale), POLICY);
  }

  @Post(':token/code')
  @HttpCode(200)
  async sendCode(@Param('token') token: string): Promise<{ readonly outcome: CodeOutcome }> {
    return { outcome: await this.signing.sendCode(token) };
  }

  @Post(':token/sign')
  @HttpCode(200)
  async sign(
    @Param('token') token: string,
    @Body() body: unknown,
  ): Promise<{ readonly outcome: SigningOutcome }> {
    const { code, version } = signBody.read(body);
    return { outcome: await this.signing.sign(token, code, version) };
  }

  /**
   * Returns the merchant's API keys on the first call only. See
   * docs/provider/onboarding-completion.md#payment-keys.
   */
  @Post(':token/keys')
  @HttpCode(200)
  async showKeys(
    @Param('token') token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ readonly outcome: 'shown'; readonly keys: KeyPair } | { readonly outcome: 'none' }> {
    void reply.header('cache-control', 'no-store');
    const company = await this.store.readByLink(token);
    const keys = company === null ? null : await this.keys.showOnce(company.id, this.clock.now());
    return keys === null ? { outcome: 'none' } : { outcome: 'shown', keys };
  }

  @Post(':token/terminals/:id')
  @HttpCode(200)
  async moveTerminal(
    @Param('token') token: string,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<{ readonly outcome: 'moved' | 'refused' }> {
    const { move } = moveBody.read(body);
    const company = await this.store.readByLink(token);
    if (company === null) return { outcome: 'refused' };
    try {
      await this.terminals.moveByHand(company.id, id, move);
      return { outcome: 'moved' };
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      return { outcome: 'refused' };
    }
  }
}
