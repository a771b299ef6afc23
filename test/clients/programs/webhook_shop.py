"""A platform without Kafka: it learns from webhooks what becomes of its orders and its merchant. It
says on standard output what a payer, a merchant or time has to do now; when nothing is left to do,
it prints the webhooks that it has handled."""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread

from payment_orchestrator import Client, models, verify_webhook
from steps import draft_merchant, order_of, report, send_documents

ORDERS = int(os.environ["ORDERS"])
# The response to each webhook whose number this divides is an error, after the event was handled.
ERROR_EVERY = 10


class Events:
    """The events of all webhooks, in the order in which they were handled, with repetitions."""

    def __init__(self) -> None:
        self._handled: list[models.PublishedEvent] = []
        self._changed = Condition()

    def add(self, event: models.PublishedEvent) -> int:
        with self._changed:
            self._handled.append(event)
            self._changed.notify_all()
            return len(self._handled)

    def wait_for(self, subject: str, kind: str) -> None:
        """Waits without a timeout, because the calling test limits the duration of the run."""
        wanted = f"payment-orchestrator.{kind}"
        with self._changed:
            self._changed.wait_for(
                lambda: any(
                    event["subject"] == subject and event["type"] == wanted
                    for event in self._handled
                )
            )

    def handled(self) -> list[dict[str, object]]:
        with self._changed:
            return [
                {
                    "eventId": event["id"],
                    "streamId": event["subject"],
                    "version": int(event["sequence"]),
                }
                for event in self._handled
            ]


EVENTS = Events()


class Receiver(BaseHTTPRequestHandler):
    secret = ""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        number = EVENTS.add(verify_webhook(self.secret, dict(self.headers), body))
        self.send_response(503 if number % ERROR_EVERY == 0 else 204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def sell(client: Client) -> str:
    order_id = client.place_order(order_of(1250), wait_seconds=2)["id"]
    EVENTS.wait_for(order_id, "OrderPaymentStarted")
    while (payment := client.get_order(order_id)["payment"]) is None or payment["pageUrl"] is None:
        pass
    report("pay", payment["pageUrl"])
    EVENTS.wait_for(order_id, "OrderPaid")
    return order_id


def onboard(client: Client) -> None:
    merchant_id = draft_merchant(client)
    EVENTS.wait_for(merchant_id, "CompanyRegistered")
    send_documents(client, merchant_id)
    company_id = client.get_merchant(merchant_id)["companyId"]
    link = client.get_subscription_link(merchant_id)["link"]
    report("sign", link, company_id or "")
    EVENTS.wait_for(merchant_id, "MerchantEnabled")


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    Thread(target=server.serve_forever, daemon=True).start()
    api_url, api_key = os.environ["API_URL"], os.environ["API_KEY"]
    # A killed api starts again within some 20 seconds, even on a slow machine.
    with Client(base_url=api_url, api_key=api_key, max_attempts=12) as client:
        url = f"http://127.0.0.1:{server.server_port}/hook"
        endpoint_id = client.create_webhook_endpoint({"url": url})["id"]
        Receiver.secret = client.get_webhook_secret(endpoint_id)["secret"]
        order_ids = [sell(client) for _ in range(ORDERS)]
        client.disable_webhook_endpoint(endpoint_id)
        for order_id in order_ids:
            client.refund_order(order_id, {"amountMinor": 500})
        report("clear")
        sys.stdin.readline()
        client.enable_webhook_endpoint(endpoint_id)
        for order_id in order_ids:
            EVENTS.wait_for(order_id, "OrderRefunded")
        onboard(client)
        report("deliver", endpoint_id)
        sys.stdin.readline()
        report("handled", json.dumps(EVENTS.handled()))


main()
