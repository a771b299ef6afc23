"""Lists that are read page by page."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from .errors import ConnectionFailed, UnreadableResponse

Item = TypeVar("Item")
Page = TypeVar("Page")


class Listing(Generic[Item, Page]):
    """A list that is read page by page, as far as it is used: `for item in listing` reads all
    items. Nothing is requested before."""

    def __init__(self, read: Callable[[Mapping[str, str]], Any]) -> None:
        self._read = read

    def page(self) -> Page:
        """The first page, or the page at the `cursor` that was given."""
        return self._page_at({})

    def pages(self) -> Iterator[Page]:
        """All pages; store `nextCursor` of a page of events to continue later."""
        at: Mapping[str, str] = {}
        while True:
            page: Any = self._page_at(at)
            yield page
            # In the event feed a cursor always follows; `hasMore` is false at the end.
            cursor = page["nextCursor"]
            if cursor is None or page.get("hasMore") is False:
                return
            at = {"cursor": cursor}

    def __iter__(self) -> Iterator[Item]:
        at: Any
        for at in self.pages():
            yield from at["items"]

    def _page_at(self, at: Mapping[str, str]) -> Any:
        page = self._read(at)
        if not isinstance(page, dict) or not {"items", "nextCursor"} <= page.keys():
            raise _failed("the response is not a page of a list")
        return page


def _failed(reason: str) -> ConnectionFailed:
    error = ConnectionFailed(None)
    error.__cause__ = UnreadableResponse(reason)
    return error
