"""Verification of webhooks, as Standard Webhooks define it."""

import json
from collections.abc import Mapping

from standardwebhooks import Webhook, WebhookVerificationError

from . import models

__all__ = ["WebhookVerificationError", "verify_webhook"]


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes | str
) -> models.PublishedEvent:
    """Verifies the signature and the time of a webhook, and returns its event. `secret` is that of
    the endpoint, `whsec_…`; `body` is the body as it was received. Raises
    `WebhookVerificationError`. An event may be sent more than once: drop an `id` that you know."""
    try:
        Webhook(secret).verify(body, dict(headers), json_parse=False)
    except ValueError as error:
        raise WebhookVerificationError("The signature is malformed") from error
    return json.loads(body)
