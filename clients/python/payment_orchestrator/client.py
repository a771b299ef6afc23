"""The client, and how it sends requests."""

import json
import random
import time
import uuid
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from .connections import Connections
from .errors import ApiError, ConnectionFailed, UnreadableResponse
from .operations import Answer, Operations

# If the API asks to wait longer than this, the request is not repeated.
_MAX_WAIT_SECONDS = 60.0
_FIRST_BACKOFF_SECONDS = 0.25
# They have no Idempotency-Key, and a repeated DELETE would not find what the first one deleted.
_UNSAFE_METHODS = ("PATCH", "DELETE")


class Client(Operations):
    """A client of the API. Its methods have the names of the operations in the API reference, and
    raise `ApiError`, or `ConnectionFailed` if the last attempt got no response of the API.
    `timeout_seconds` is the time limit of each attempt, from its connection to the last byte.

    A request is repeated up to `max_attempts`: when the API asks for it by 409, 429 or 503, and if
    it may have been executed, that is after a broken connection, a timeout, an unreadable response,
    or a 502 or 504 of a proxy. Then a POST is safe, because each attempt has the same
    Idempotency-Key; a PATCH or DELETE is not repeated.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_seconds: float = 30.0,
        max_attempts: int = 4,
    ) -> None:
        self._max_attempts = max_attempts
        headers = {"authorization": f"Bearer {api_key}"}
        self._connections = Connections(base_url, headers, timeout_seconds)

    def close(self) -> None:
        """Closes the connections."""
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _request(
        self,
        method: str,
        template: str,
        *,
        path: Mapping[str, object] = {},
        query: Mapping[str, Any] = {},
        body: Mapping[str, Any] | None = None,
        form: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        wait_seconds: int | None = None,
        answer: Answer = "json",
    ) -> Any:
        parts = {name: quote(str(value), safe="") for name, value in path.items()}
        url = template.format_map(parts)
        given = {name: value for name, value in query.items() if value is not None}
        headers = {}
        if method == "POST":
            # An empty key is sent, and rejected by the API: a new key would repeat the effect.
            key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
            headers["idempotency-key"] = key
        if wait_seconds is not None:
            headers["prefer"] = f"wait={wait_seconds}"
        request = self._connections.build_request(
            method,
            url,
            params=given,
            headers=headers,
            json=body,
            **_form_parts(form),
        )
        return self._send(request, answer)

    def _send(self, request: httpx.Request, answer: Answer) -> Any:
        attempt = 1
        while True:
            is_last = attempt >= self._max_attempts
            wait: float | None
            try:
                response = self._connections.send(request)
                if response.is_success:
                    return _decoded(response, answer)
                wait = None if is_last else _wait_seconds(request, response, attempt)
                if wait is None:
                    raise ApiError(response)
            except (httpx.RequestError, TimeoutError, UnreadableResponse) as error:
                if is_last or request.method in _UNSAFE_METHODS:
                    raise ConnectionFailed(request.headers.get("idempotency-key")) from error
                wait = _backoff_seconds(attempt)
            time.sleep(wait)
            attempt += 1


def _backoff_seconds(attempt: int) -> float:
    """A random part of an exponentially growing time."""
    return random.random() * _FIRST_BACKOFF_SECONDS * float(2 ** min(attempt, 6))


def _is_of_proxy(response: httpx.Response) -> bool:
    """Whether a proxy answers that it got no response, where the API may have executed the
    request. The API itself answers 502 when the provider rejected a request."""
    kind = response.headers.get("content-type", "")
    return response.status_code in (502, 504) and "problem+json" not in kind


def _wait_seconds(
    request: httpx.Request, response: httpx.Response, attempt: int
) -> float | None:
    """How long to wait before the request is repeated; None: it must not be. A request in progress
    has the status 409 and a Retry-After, other conflicts have none."""
    text = response.headers.get("retry-after", "")
    asked = float(text) if text.isdecimal() else None
    if asked is not None and asked > _MAX_WAIT_SECONDS:
        return None
    if response.status_code == 409:
        return asked
    is_safe = _is_of_proxy(response) and request.method not in _UNSAFE_METHODS
    if response.status_code in (429, 503) or is_safe:
        return _backoff_seconds(attempt) if asked is None else asked
    return None


def _form_parts(form: Mapping[str, Any] | None) -> dict[str, Any]:
    """The parts of a form: lists of bytes are files, other values are sent as JSON."""
    if form is None:
        return {}
    data: dict[str, str] = {}
    files: list[tuple[str, tuple[str, bytes]]] = []
    for name, value in form.items():
        if isinstance(value, Mapping):
            data[name] = json.dumps(value)
        elif value is not None:
            files += [(name, (name, one)) for one in value]
    return {"data": data, "files": files}


def _decoded(response: httpx.Response, answer: Answer) -> Any:
    """The value of a success. Raises `UnreadableResponse` if it is not one of the API, e.g. if it
    is the page of a proxy, or truncated."""
    kind = response.headers.get("content-type", "")
    unexpected = UnreadableResponse(f"the response has the unexpected type {kind!r}")
    if answer == "none":
        if response.content != b"":
            raise unexpected
        return None
    if answer == "file":
        if kind == "" or kind.startswith("text/"):
            raise unexpected
        return response.content
    if answer == "download" and kind.startswith("text/csv"):
        return response.text
    if "json" not in kind:
        raise unexpected
    try:
        return response.json()
    # Values that are nested too deeply raise a RecursionError.
    except (ValueError, RecursionError) as error:
        raise UnreadableResponse("the response is not valid JSON") from error
