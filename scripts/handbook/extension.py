"""What the site needs of Sphinx: boards, a search that reads Chinese, links between languages."""

from __future__ import annotations

import gc
import re
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from pygments.lexers.data import JsonLexer
from sphinx.search.en import SearchEnglish
from sphinx.util.docutils import SphinxDirective

from demine.scene.themes import theme
from demine.scene.translation import set_language
from scripts.handbook.boards import ClaimError, LessonBoard
from scripts.handbook.links import OTHER_LANGUAGE
from scripts.handbook.tables import LANGUAGE_CODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx

BOARD_FOLDER = "_boards/"
"""Where the drawn boards lie in the site."""
_BOARD_PLACEHOLDER = "https://boards.invalid/"
THEMES = ("light", "dark")


class BoardDirective(SphinxDirective):
    """A board of a lesson, drawn in the light and the dark look over what the solver says."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"why": directives.unchanged, "risk": directives.flag}

    def run(self) -> Sequence[nodes.Node]:
        """Return the board as a figure; what claims too much is an error of the build."""
        text = "\n".join(self.content)
        why = self.options.get("why", "")
        try:
            board = LessonBoard.parse(text, self.arguments[0], why, risk="risk" in self.options)
            board.check_claims()
        except (ClaimError, ValueError) as error:
            raise self.error(str(error)) from error
        set_language(LANGUAGE_CODES[self.config.site_language])
        reason = board.reason()
        said = "" if reason is None else str(reason)
        set_language("en")
        drawn = "".join(self._image_tag(board, look) for look in THEMES)
        told = f"<figcaption>{escape(said)}</figcaption>" if said else ""
        html = f'<figure class="board">{drawn}{told}</figure>'
        return [nodes.raw("", html, format="html")]

    def _image_tag(self, board: LessonBoard, look: str) -> str:
        drawing = board.svg_text(theme(look))
        name = f"{sha256(drawing.encode()).hexdigest()[:16]}-{look}.svg"
        path = Path(self.env.app.outdir) / BOARD_FOLDER / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawing, "utf-8")
        wide, high = board.size
        words = escape(" / ".join(board.text.split("\n")), quote=True)
        return (
            f'<img class="only-{look}" src="{_BOARD_PLACEHOLDER}{name}" width="{wide}"'
            f' height="{high}" alt="{words}">'
        )


class EnglishAndChineseSearch(SearchEnglish):
    """English words by their stems, Chinese ones by each sign and every two that stand together."""

    lang = "both"
    language_name = "English"  # whose stemmer the page takes
    js_splitter_code = """
var splitQuery = (query) =>
  (
    query.match(/[\\u4e00-\\u9fff]+|(?:(?![\\u4e00-\\u9fff])[\\p{L}\\p{M}\\p{N}_])+/gu) || []
  ).flatMap(
    (word) => /[\\u4e00-\\u9fff]/.test(word) && word.length > 2
      ? Array.from({length: word.length - 1}, (_, at) => word.slice(at, at + 2))
      : [word]);
"""
    _run = re.compile(r"[\u4e00-\u9fff]+|[^\W\u4e00-\u9fff]+")

    def split(self, text: str) -> list[str]:
        """Return the words of a text."""
        found: list[str] = []
        for word in self._run.findall(text):
            if "\u4e00" <= word[0] <= "\u9fff" and len(word) > 1:
                found += [*word, *(word[at : at + 2] for at in range(len(word) - 1))]
            else:
                found.append(word)
        return found


def set_page_links(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: object
) -> None:
    """Lead the links of a page to drawn boards and to the other language."""
    depth = page.count("/")
    up = "../" * depth
    chinese = app.config.site_language == "zh"
    other = f"{up}../" if chinese else f"{up}zh/"
    twin = page if page in app.config.site_twins else "index"
    context["twin"] = f"{other}{twin}.html"
    context["twin_name"] = "English" if chinese else "简体中文"
    context["twin_lang"] = "en" if chinese else "zh-CN"
    if "body" in context:
        body = context["body"].replace(f"{_BOARD_PLACEHOLDER}", f"{up}{BOARD_FOLDER}")
        code = "en" if chinese else "zh"
        context["body"] = body.replace(f"{OTHER_LANGUAGE}{code}/", other)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of all of it."""
    # Trees of nodes point up and down, by the million. Looking for garbage among them takes a third
    # of the time, and they fit into memory: 360 MB in place of 240.
    gc.disable()
    app.add_config_value("site_language", "en", "env")
    app.add_config_value("site_twins", [], "env")
    app.add_directive("board", BoardDirective)
    app.add_lexer("jsonl", JsonLexer)
    app.add_search_language(EnglishAndChineseSearch)
    app.connect("html-page-context", set_page_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
