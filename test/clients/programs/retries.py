"""Places an order for each reference given, and changes a merchant; prints the results as JSON."""

import json
import os
import sys

import httpx
from payment_orchestrator import ApiError, Client


def result_of(client: Client, reference: str) -> str:
    try:
        if reference.startswith("change"):
            return client.change_merchant(reference, {"details": {}})["id"]
        return client.place_order(
            {
                "merchantId": "m1",
                "reference": reference,
                "amountMinor": 1250,
                "currency": "eur",
                "capture": {"policy": "automatic"},
            }
        )["id"]
    except ApiError as error:
        return f"{error.status} {error.code} {error.request_id}"
    except httpx.TransportError:
        return "no response"


with Client(base_url=os.environ["API_URL"], api_key="key", timeout_seconds=1) as client:
    print(json.dumps([result_of(client, reference) for reference in sys.argv[1:]]))
