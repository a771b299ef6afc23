"""A platform with a client that a generator made: one order, then one merchant. What a payer and a
merchant do on their pages is asked for on standard output, a line each."""

import base64
import datetime
import io
import json
import os
import time
import uuid

import httpx
from shop_client.api.merchants import (
    add_document, get_merchant, get_subscription_link, list_documents, onboard_merchant,
    refresh_merchant,
)
from shop_client.api.orders import get_order, place_order
from shop_client.client import AuthenticatedClient
from shop_client.models.add_document_body import AddDocumentBody
from shop_client.models.add_document_body_meta import AddDocumentBodyMeta
from shop_client.models.add_document_kind import AddDocumentKind
from shop_client.models.capture_terms_input import CaptureTermsInput
from shop_client.models.capture_terms_input_policy import CaptureTermsInputPolicy
from shop_client.models.company_input import CompanyInput
from shop_client.models.onboard_merchant import OnboardMerchant
from shop_client.models.onboard_merchant_mode import OnboardMerchantMode
from shop_client.models.order_status import OrderStatus
from shop_client.models.place_order import PlaceOrder
from shop_client.models.place_order_currency import PlaceOrderCurrency
from shop_client.types import UNSET, File

client = AuthenticatedClient(
    base_url=os.environ["API_URL"], token=os.environ["API_KEY"], timeout=httpx.Timeout(30))


def once() -> str:
    return str(uuid.uuid4())


def report(*words: str) -> None:
    print(*words, flush=True)


def answered(response):
    if not 200 <= response.status_code < 300:
        raise RuntimeError(f"{response.status_code} {response.content!r}")
    return response.parsed


def until(poll):
    """The caller says how long is too long."""
    while not (found := poll()):
        time.sleep(0.2)
    return found


def sell() -> None:
    body = PlaceOrder(
        merchant_id=os.environ["MERCHANT_ID"], reference=f"client-{uuid.uuid4()}", amount_minor=1250,
        currency=PlaceOrderCurrency.EUR, capture=CaptureTermsInput(policy=CaptureTermsInputPolicy.AUTOMATIC),
    )
    order = answered(place_order.sync_detailed(client=client, body=body, idempotency_key=once()))

    def read():
        return answered(get_order.sync_detailed(order.id, client=client))

    report("pay", until(lambda: (payment := read().payment) and payment.page_url))
    until(lambda: read().status == OrderStatus.PAID)
    report("paid", order.id)


def paper(name: str) -> File:
    return File(payload=io.BytesIO(base64.b64decode(os.environ[name])), file_name=name.lower())


def send(merchant_id: str, expected) -> None:
    is_card = expected.kind.value == "identity_card"
    meta = AddDocumentBodyMeta(
        issued_on=datetime.date(2020, 1, 2), expires_on=datetime.date(2035, 1, 1), number="X4RTBPFW4")
    body = AddDocumentBody(
        file=[paper("JPEG"), paper("JPEG")] if is_card else [paper("PDF")],
        meta=meta if is_card else UNSET,
    )
    answered(add_document.sync_detailed(
        merchant_id, client=client, body=body, kind=AddDocumentKind(expected.kind.value),
        person_id=expected.person_id or UNSET, idempotency_key=once()))


def onboard() -> None:
    body = OnboardMerchant(
        reference=f"client-{uuid.uuid4()}", mode=OnboardMerchantMode.TEST,
        details=CompanyInput.from_dict(json.loads(os.environ["DETAILS"])),
    )
    merchant = answered(onboard_merchant.sync_detailed(client=client, body=body, idempotency_key=once()))
    company_id = until(lambda: answered(get_merchant.sync_detailed(merchant.id, client=client)).company_id)
    for expected in answered(list_documents.sync_detailed(merchant.id, client=client)).expected:
        send(merchant.id, expected)
    link = answered(
        get_subscription_link.sync_detailed(merchant.id, client=client, idempotency_key=once())).link
    report("sign", link, company_id)
    until(lambda: answered(refresh_merchant.sync_detailed(
        merchant.id, client=client, idempotency_key=once())).orders.enabled)
    report("open", merchant.id)


sell()
onboard()
