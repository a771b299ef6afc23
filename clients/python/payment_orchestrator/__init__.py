"""The client of the payment orchestrator's API."""

from . import models
from .client import Client
from .errors import ApiError, ConnectionFailed
from .listing import Listing
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "ApiError",
    "Client",
    "ConnectionFailed",
    "Listing",
    "WebhookVerificationError",
    "models",
    "verify_webhook",
]
