"""The connections to the API, on which each exchange has a time limit."""

import asyncio
import os
import threading
import weakref
from typing import Any

import httpx

from .errors import UnreadableResponse

# More than any download of the API has; a larger response would only fill the memory.
_MAX_RESPONSE_BYTES = 256 * 1024 * 1024

_loops: dict[int, asyncio.AbstractEventLoop] = {}
_loops_lock = threading.Lock()


class Connections:
    """Sends requests, each within a time limit that includes the connection, the request and the
    whole response. The limits of httpx hold for each read only, so a response that arrives byte by
    byte would never exceed them. Only a task of asyncio can be canceled between reads; the tasks
    run in a thread, so that the caller may have an event loop of its own or none."""

    def __init__(self, base_url: str, headers: dict[str, str], timeout_seconds: float) -> None:
        self._base_url = base_url
        self._headers = headers
        self._timeout_seconds = timeout_seconds
        self._process_id = os.getpid()
        self._http = self._opened()

    def build_request(self, method: str, url: str, **parts: Any) -> httpx.Request:
        """A request with the headers of all requests; `parts` as httpx defines them."""
        return self._http.build_request(method, url, **parts)

    def send(self, request: httpx.Request) -> httpx.Response:
        """Returns the whole response. Raises `httpx.RequestError`, `TimeoutError`, or
        `UnreadableResponse` if it is too large."""
        if self._process_id != os.getpid():
            # A forked process must not use the connections of its parent.
            self._process_id, self._http = os.getpid(), self._opened()
        exchange = self._exchange(self._http, request)
        future = asyncio.run_coroutine_threadsafe(exchange, _event_loop())
        try:
            return future.result()
        finally:
            # Only has an effect if the caller was interrupted, e.g. by Ctrl-C.
            future.cancel()

    def close(self) -> None:
        """Closes the connections; no request can be sent afterwards."""
        asyncio.run_coroutine_threadsafe(self._http.aclose(), _event_loop()).result()

    def _opened(self) -> httpx.AsyncClient:
        http = httpx.AsyncClient(base_url=self._base_url, headers=self._headers, timeout=None)
        # For users who do not close the client: the event loop refers to open connections.
        weakref.finalize(self, _discard, http, os.getpid())
        return http

    async def _exchange(self, http: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
        try:
            async with asyncio.timeout(self._timeout_seconds):
                response = await http.send(request, stream=True)
                try:
                    return await _whole(response)
                finally:
                    await response.aclose()
        except TimeoutError as error:
            message = f"no whole response within {self._timeout_seconds} seconds"
            raise TimeoutError(message) from error


async def _whole(response: httpx.Response) -> httpx.Response:
    content = bytearray()
    async for chunk in response.aiter_bytes():
        content += chunk
        if len(content) > _MAX_RESPONSE_BYTES:
            raise UnreadableResponse(f"the response has more than {_MAX_RESPONSE_BYTES} bytes")
    # The content is decoded already.
    headers = [one for one in response.headers.multi_items() if one[0] != "content-encoding"]
    return httpx.Response(
        response.status_code, headers=headers, content=bytes(content), request=response.request
    )


def _event_loop() -> asyncio.AbstractEventLoop:
    """The event loop of this process; a forked process has no thread of its parent."""
    with _loops_lock:
        loop = _loops.get(os.getpid())
        if loop is None:
            loop = _loops[os.getpid()] = asyncio.new_event_loop()
            name = "payment-orchestrator-client"
            threading.Thread(target=loop.run_forever, name=name, daemon=True).start()
        return loop


def _discard(http: httpx.AsyncClient, process_id: int) -> None:
    loop = _loops.get(os.getpid())
    if process_id == os.getpid() and loop is not None and not http.is_closed:
        asyncio.run_coroutine_threadsafe(http.aclose(), loop)
