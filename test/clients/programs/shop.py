"""A platform that is written with the client: orders, refunds, lists, events, webhooks, merchants.
It says on standard output what was done, or what a payer or a merchant has to do now."""

import os
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import TypeVar, cast

from payment_orchestrator import ApiError, Client, models, verify_webhook
from steps import draft_merchant, order_of, report, send_documents

T = TypeVar("T")
MERCHANT_ID = os.environ["MERCHANT_ID"]


def until(poll: Callable[[], T | None]) -> T:
    """Polls without a timeout, because the calling test limits the duration of the whole run."""
    while not (found := poll()):
        time.sleep(0.2)
    return found


class Receiver(BaseHTTPRequestHandler):
    """Receives webhooks at a local URL."""

    secret = ""
    events: Queue[models.PublishedEvent] = Queue()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.events.put(verify_webhook(self.secret, dict(self.headers), body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def sell(client: Client) -> str:
    body = order_of(1250)
    order_id = client.place_order(body, wait_seconds=2)["id"]

    def page_url() -> str | None:
        payment = client.get_order(order_id)["payment"]
        return payment["pageUrl"] if payment else None

    report("pay", until(page_url))
    until(lambda: client.get_order(order_id)["status"] == "paid")
    report("paid", order_id)
    try:
        client.place_order(body)
    except ApiError as error:
        if error.request_id is None:
            raise
        report(error.code, str(error.status))
    return order_id


def refund(client: Client, order_id: str) -> None:
    try:
        client.refund_order(order_id, {"amountMinor": cast(int, None)})
    except ApiError as error:
        report("no amount", error.code)
    status = client.refund_order(order_id, {"amountMinor": 500})["status"]
    report("clear")
    until(lambda: client.get_order(order_id)["refundedMinor"] == 500)
    report("refunded", status)


def list_orders(client: Client, order_id: str) -> None:
    """Reads the list in pages of one order each; a new order is listed a moment later."""
    other = client.place_order(order_of(900))

    def is_listed() -> bool:
        found = [order["id"] for order in client.list_orders(merchant_id=MERCHANT_ID, limit=1)]
        return found[0] == other["id"] and order_id in found

    until(is_listed)
    report("listed")


def follow(client: Client, order_id: str) -> None:
    """Follows the feed of events from its start until the order's refund."""
    cursor: str | None = None
    paid_minor: list[int] = []
    is_refunded = False
    while not is_refunded:
        listing = client.list_events(type=["OrderPaid", "OrderRefunded"], cursor=cursor)
        for page in listing.pages():
            cursor = page["nextCursor"]
            for event in page["items"]:
                if event["subject"] != order_id:
                    continue
                if event["type"] == "payment-orchestrator.OrderPaid":
                    paid_minor.append(event["data"]["amountMinor"])
                if event["type"] == "payment-orchestrator.OrderRefunded":
                    is_refunded = True
        time.sleep(0.2)
    report("followed", *map(str, paid_minor))


def onboard(client: Client) -> None:
    merchant_id = draft_merchant(client)
    company_id = until(lambda: client.get_merchant(merchant_id)["companyId"])
    send_documents(client, merchant_id)
    report("sign", client.get_subscription_link(merchant_id)["link"], company_id)
    until(lambda: client.refresh_merchant(merchant_id)["orders"]["enabled"])
    report("open", merchant_id)


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    Thread(target=server.serve_forever, daemon=True).start()
    with Client(base_url=os.environ["API_URL"], api_key=os.environ["API_KEY"]) as client:
        url = f"http://127.0.0.1:{server.server_port}/hook"
        endpoint_id = client.create_webhook_endpoint({"url": url, "eventTypes": ["OrderPaid"]})["id"]
        Receiver.secret = client.get_webhook_secret(endpoint_id)["secret"]
        order_id = sell(client)
        refund(client, order_id)
        list_orders(client, order_id)
        follow(client, order_id)
        while (event := Receiver.events.get())["subject"] != order_id:
            pass
        report("received", event["type"])
        client.delete_webhook_endpoint(endpoint_id)
        onboard(client)


main()
