"""How Sphinx builds the site: `python3 scripts/docs.py` sets all else up."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

import demine  # noqa: E402
from scripts.handbook import nav  # noqa: E402

site_language = os.environ.get("DEMINE_SITE", "en")
site_twins = [nav.HOME_PAGE, *nav.PAGES_IN_BOTH_LANGUAGES]

project = "demine"
author = "the demine authors"
copyright = author  # noqa: A001
version = release = demine.__version__
language = {"en": "en", "zh": "zh_CN"}[site_language]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "scripts.handbook.extension",
]
default_role = "py:obj"  # in docstrings, which name things as Markdown does
autodoc_default_options = {
    "members": True,
    "undoc-members": True,
    # What classes inherit from each other is shown, what they have from Python is not.
    "inherited-members": "object, str, int, tuple, BaseException, Enum, Mapping, Protocol",
}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autosummary_generate = False
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
python_maximum_signature_line_length = 80
add_module_names = False
smartquotes = False
toc_object_entries = False
locale_dirs = [os.environ["DEMINE_SITE_WORDS"]] if "DEMINE_SITE_WORDS" in os.environ else []
templates_path = [str(ROOT / "docs" / "_site" / "templates")]

html_theme = "furo"
html_title = {"en": "demine", "zh": "demine 扫雷"}[site_language]
html_static_path = [str(ROOT / "docs" / "_site" / "static")]
html_css_files = ["site.css"]
html_js_files = [("copy.js", {"defer": "defer"})]
html_favicon = str(ROOT / "src" / "demine" / "picture" / "icon.svg")
html_logo = html_favicon
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # a page read from a disk may not fetch others
html_search_language = "both"
html_search_scorer = str(ROOT / "docs" / "_site" / "scorer.js")
html_last_updated_fmt = None
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/twin.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "friendly"
pygments_dark_style = "github-dark"
