import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Inject,
  Param,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOGGER, type Logger } from '#platform';
import type { SafeHtml } from '../web/html.js';
import { localeOf } from '../web/locale.js';
import { sendPage } from '../web/secure-reply.js';
import { TextAssets } from '../web/text-assets.js';
import { OrdersApi, OrdersApiError, SHOP_CONFIG } from './orders-api.js';
import { productOf } from './products.js';
import { ReturnAddresses } from './return-addresses.js';
import type { ShopConfig } from './shop-config.js';
import { orderPage, shelfPage, sorryPage } from './shop-pages.js';
import { shopWords } from './shop-words.js';

const ORDER_ID = /^ord_[a-zA-Z0-9]{24}$/;
const CHECKOUT_ID = /^[a-zA-Z0-9-]{16,64}$/;

/** The shop's pages, and the endpoints of its scripts. */
@Controller()
export class ShopController {
  private readonly assets = new TextAssets(join(import.meta.dirname, 'browser'));

  constructor(
    private readonly orders: OrdersApi,
    private readonly returns: ReturnAddresses,
    @Inject(SHOP_CONFIG) private readonly config: ShopConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get()
  showShelf(
    @Headers('accept-language') language: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    this.send(reply, 200, shelfPage(localeOf(language)));
  }

  @Get('assets/:name')
  asset(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    this.assets.send(name, request, reply);
  }

  /**
   * Places the order. With the browser's checkout id, a second click does not place a second order.
   */
  @Post('checkout')
  @HttpCode(200)
  async checkout(
    @Body() body: { readonly product?: unknown; readonly checkoutId?: unknown } | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const product = productOf(body?.product);
    const checkoutId = String(body?.checkoutId);
    if (product === undefined || !CHECKOUT_ID.test(checkoutId)) {
      void reply.status(422);
      return { error: 'the product or the checkout id is malformed' };
    }
    const returnUrl = `${request.protocol}://${request.host}/return/${checkoutId}`;
    return this.answering(reply, async () => {
      const { id } = await this.orders.placeOrder(
        product,
        checkoutId,
        returnUrl,
        localeOf(request.headers['accept-language']),
      );
      this.returns.store(checkoutId, id);
      return { orderId: id };
    });
  }

  @Get('orders/:orderId')
  async showOrder(
    @Param('orderId') orderId: string,
    @Headers('accept-language') language: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const locale = localeOf(language);
    const text = shopWords(locale);
    if (!ORDER_ID.test(orderId)) {
      this.send(reply, 404, sorryPage(locale, text.unknownOrder, text.checkAddress));
      return;
    }
    try {
      const order = await this.orders.readOrder(orderId);
      this.send(reply, 200, orderPage(order, this.config.paymentPageOrigin, locale));
    } catch (error) {
      if (!(error instanceof OrdersApiError)) throw error;
      this.logger.warn({ err: error }, 'the order could not be read');
      const page =
        error.status === 404
          ? sorryPage(locale, text.unknownOrder, text.othersOrder)
          : sorryPage(locale, text.unavailable, text.tryLater);
      this.send(reply, error.status === 404 ? 404 : 502, page);
    }
  }

  @Get('orders/:orderId/state')
  state(
    @Param('orderId') orderId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.answering(reply, async () => {
      const { status, payment } = await this.orders.readOrder(checkedId(orderId));
      return { status, paymentStatus: payment?.status ?? null, pageUrl: payment?.pageUrl ?? null };
    });
  }

  /**
   * Called when the payment page reports `finished`: requests that the orchestrator read the
   * payment from the provider immediately.
   */
  @Post('orders/:orderId/finished')
  @HttpCode(200)
  finished(
    @Param('orderId') orderId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return this.answering(reply, async () => {
      const { payment } = await this.orders.readOrder(checkedId(orderId));
      if (payment !== null) await this.orders.pageCompleted(payment.id, `finished-${payment.id}`);
      return {};
    });
  }

  /**
   * Relays the order's events from the orchestrator, until the browser or the orchestrator closes
   * the connection.
   */
  @Get('orders/:orderId/events')
  async events(
    @Param('orderId') orderId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const closed = new AbortController();
    request.raw.once('close', () => closed.abort());
    const lastEventId = request.headers['last-event-id'];
    try {
      const since = typeof lastEventId === 'string' ? lastEventId : null;
      const source = await this.orders.events(checkedId(orderId), since, closed.signal);
      const stream = Readable.fromWeb(source.body as ReadableStream);
      stream.once('error', (err) => this.logger.debug({ err }, 'an event stream ended'));
      void reply
        .header('content-type', 'text/event-stream')
        .header('cache-control', 'no-store')
        .send(stream);
    } catch (error) {
      if (!(error instanceof OrdersApiError)) throw error;
      void reply.status(error.status === 404 ? 404 : 502).send();
    }
  }

  /** The return URL, to which an unframed payment page redirects the payer. */
  @Get('return/:checkoutId')
  returned(@Param('checkoutId') checkoutId: string, @Res() reply: FastifyReply): void {
    const orderId = this.returns.orderOf(checkoutId);
    void reply.redirect(orderId === undefined ? '/' : `/orders/${orderId}`, 303);
  }

  private send(reply: FastifyReply, status: number, page: SafeHtml): void {
    const frames = this.config.paymentPageOrigin;
    sendPage(reply, status, page, { frameAncestors: "'none'", frames });
  }

  /**
   * Responds with the result, or with an error that the page's script can show; the cause is only
   * logged.
   */
  private async answering(reply: FastifyReply, work: () => Promise<object>): Promise<object> {
    void reply.header('cache-control', 'no-store');
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OrdersApiError)) throw error;
      this.logger.warn({ err: error }, 'the orchestrator refused the request');
      void reply.status(error.status === 404 ? 404 : 502);
      return { error: 'the order service did not answer as expected' };
    }
  }
}

const checkedId = (orderId: string): string => {
  if (!ORDER_ID.test(orderId)) throw new OrdersApiError(404, 'not an order id');
  return orderId;
};
