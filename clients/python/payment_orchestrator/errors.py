"""The errors of the client."""

from typing import Any

import httpx

from . import models


class ApiError(Exception):
    """The API refused a request, or could not execute it. The text is the problem's `detail`, and
    `errors` in parentheses."""

    status: int
    """The HTTP status."""
    code: str
    """A stable code; `unknown` if the response is not one of the API, e.g. that of a proxy."""
    errors: list[models.ProblemDetail]
    """The invalid fields and parameters."""
    request_id: str | None
    """The id of the request: quote it in support requests."""
    idempotency_key: str | None
    """The key of a POST: send the request again with it, and it is executed once."""

    def __init__(self, response: httpx.Response) -> None:
        problem = _problem_of(response)
        foreign = f"the response has the status {response.status_code} and is not one of the API"
        super().__init__(_text_of(problem) if problem else foreign)
        self.status = response.status_code
        self.code = problem.get("code", "unknown")
        self.errors = problem.get("errors", [])
        self.request_id = problem.get("correlationId", response.headers.get("x-request-id"))
        self.idempotency_key = response.request.headers.get("idempotency-key")


class ConnectionFailed(Exception):
    """The last attempt got no response of the API: its connection broke, its time was up, or the
    response is unreadable, e.g. the page of a proxy or truncated. Whether the request was executed
    is unknown. `__cause__` says what happened."""

    idempotency_key: str | None
    """The key of a POST: send the request again with it, and it is executed once."""

    def __init__(self, idempotency_key: str | None) -> None:
        super().__init__("the request got no response of the API")
        self.idempotency_key = idempotency_key


class UnreadableResponse(Exception):
    """A success that is not one of the API; users get it as the cause of `ConnectionFailed`."""


def _text_of(problem: dict[str, Any]) -> str:
    fields = [
        f"{one.get('pointer', one.get('parameter', ''))}: {one['detail']}"
        for one in problem.get("errors", [])
    ]
    return f"{problem['detail']} ({'; '.join(fields)})" if fields else str(problem["detail"])


def _problem_of(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) and "code" in body and "detail" in body else {}
