"""What both platforms do alike. The merchant's details and documents are in the environment."""

import base64
import json
import os
import uuid

from payment_orchestrator import Client, models


def report(*words: str) -> None:
    print(*words, flush=True)


def order_of(amount_minor: int) -> models.PlaceOrder:
    return {
        "merchantId": os.environ["MERCHANT_ID"],
        "reference": f"client-{uuid.uuid4()}",
        "amountMinor": amount_minor,
        "currency": "eur",
        "capture": {"policy": "automatic"},
    }


def draft_merchant(client: Client) -> str:
    return client.onboard_merchant(
        {
            "reference": f"client-{uuid.uuid4()}",
            "mode": "test",
            "details": json.loads(os.environ["DETAILS"]),
        }
    )["id"]


def send_documents(client: Client, merchant_id: str) -> None:
    jpeg, pdf = (base64.b64decode(os.environ[name]) for name in ("JPEG", "PDF"))
    for document in client.list_documents(merchant_id)["expected"]:
        is_card = document["kind"] == "identity_card"
        meta = {"issuedOn": "2020-01-02", "expiresOn": "2035-01-01", "number": "X4RTBPFW4"}
        client.add_document(
            merchant_id,
            kind=document["kind"],
            person_id=document["personId"],
            file=[jpeg, jpeg] if is_card else [pdf],
            meta=meta if is_card else None,
        )
