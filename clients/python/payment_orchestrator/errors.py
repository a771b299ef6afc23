"""The error of the API."""

from typing import Any

import httpx

from . import models


class ApiError(Exception):
    """The API refused a request, or could not execute it. The text is the problem's `detail`."""

    status: int
    """The HTTP status."""
    code: str
    """A stable code; `unknown` if the response is not one of the API, e.g. that of a proxy."""
    errors: list[models.ProblemDetail]
    """The invalid fields and parameters."""
    request_id: str | None
    """The id of the request: quote it in support requests."""

    def __init__(self, response: httpx.Response) -> None:
        problem = _problem_of(response)
        foreign = f"the response has the status {response.status_code} and is not one of the API"
        super().__init__(problem.get("detail", foreign))
        self.status = response.status_code
        self.code = problem.get("code", "unknown")
        self.errors = problem.get("errors", [])
        self.request_id = problem.get("correlationId", response.headers.get("x-request-id"))


def _problem_of(response: httpx.Response) -> dict[str, Any]:
    if "json" not in response.headers.get("content-type", ""):
        return {}
    body = response.json()
    return body if isinstance(body, dict) else {}
