"""Places, changes, deletes or lists what each argument names; prints the results, and the keys and texts of
errors, as JSON."""

import json
import os
import sys

from payment_orchestrator import ApiError, Client, ConnectionFailed


def send(client: Client, name: str) -> str:
    if name.startswith("list"):
        for _page in client.list_orders(reference=name).pages():
            pass
        return "ok"
    if name.startswith("change"):
        return client.change_merchant(name, {"details": {}})["id"]
    if name.startswith("delete"):
        return client.delete_webhook_endpoint(name)["id"]
    return client.place_order(
        {
            "merchantId": "m1",
            "reference": name,
            "amountMinor": 1250,
            "currency": "eur",
            "capture": {"policy": "automatic"},
        },
        idempotency_key="" if name == "an empty key" else None,
    )["id"]


def outcome_of(client: Client, name: str) -> tuple[str, str | None, str | None]:
    try:
        return send(client, name), None, None
    except ApiError as error:
        request_id = error.request_id or "null"
        return f"{error.status} {error.code} {request_id}", error.idempotency_key, str(error)
    except ConnectionFailed as error:
        return "no response", error.idempotency_key, None


timeout = float(os.environ["TIMEOUT_SECONDS"])
with Client(base_url=os.environ["API_URL"], api_key="key", timeout_seconds=timeout) as client:
    print(json.dumps([outcome_of(client, name) for name in sys.argv[1:]]))
