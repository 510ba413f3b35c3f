"""Two languages: what is said in them, and that nothing is left unsaid."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from demine.logic.errors import DemineError, RulesError
from demine.scene import translation
from demine.scene.key_bindings import key_label
from demine.scene.translation import (
    Catalogue,
    LanguageError,
    current_language,
    detect_language,
    explain,
    languages,
    mark,
    match_language,
    ntr,
    set_language,
    speaking,
    tr,
)
from scripts import messages as catalogues


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    set_language("en")
    yield
    set_language("en")


@pytest.fixture(scope="module")
def collected() -> tuple[Catalog, list[str]]:
    """What the code says, and what of it cannot be translated."""
    return catalogues.collect_messages()


@pytest.fixture(scope="module")
def template(collected: tuple[Catalog, list[str]]) -> Catalog:
    return collected[0]


def test_everything_is_translated_and_compiled(collected: tuple[Catalog, list[str]]) -> None:
    template, found = collected
    assert found + catalogues.all_problems(template) == [], "python scripts/messages.py update"


def test_english_is_the_source() -> None:
    assert current_language() == "en"
    assert tr("Win") == "Win"
    assert tr("a {thing} with {{") == "a {thing} with {{"
    assert tr("a {thing}", thing="mine") == "a mine"
    assert ntr("{n} mine", "{n} mines", 1) == "1 mine"
    assert ntr("{n} mine in {where}", "{n} mines in {where}", 2, where="it") == "2 mines in it"


def test_chinese() -> None:
    assert set_language("zh-Hans") == current_language() == "zh_CN"
    assert tr("Win") == "胜利"
    assert tr("Game over") == "游戏结束"
    assert tr("") == ""
    assert tr("never said") == "never said"
    assert tr("never said {how}", how="so") == "never said so"
    assert ntr("{n} unsaid", "{n} unsaids", 2) == "2 unsaids"
    assert key_label("ctrl+space") == "Ctrl+空格"


def test_many_players_at_once() -> None:
    chinese, other = Catalogue("zh"), Catalogue("en")
    assert (chinese.tr("Win"), other.tr("Win"), tr("Win")) == ("胜利", "Win", "Win")
    assert repr(chinese) == "Catalogue('zh_CN')"


def test_a_task_speaks_a_language_of_its_own() -> None:
    async def answer(code: str, others: asyncio.Barrier) -> str:
        with speaking(code):
            await others.wait()
            return f"{current_language()}: {await asyncio.to_thread(tr, 'Win')}"

    async def all_answers() -> list[str]:
        meeting = asyncio.Barrier(2)
        return list(await asyncio.gather(answer("zh", meeting), answer("en", meeting)))

    assert asyncio.run(all_answers()) == ["zh_CN: 胜利", "en: Win"]
    assert (current_language(), tr("Win")) == ("en", "Win")
    with pytest.raises(LanguageError), speaking("tlh"):
        pass


def test_an_error_is_explained_with_the_errors_in_it() -> None:
    inner = DemineError(mark("the game is over"))
    error = DemineError(mark("line {line}: {reason}"), line=3, reason=inner)
    assert explain(error) == str(error) == "line 3: the game is over"
    set_language("zh_CN")
    assert explain(error) == "第 3 行：游戏已结束"
    assert explain(RulesError("unsaid {what!r}", what="x")) == "unsaid 'x'"
    assert explain(DemineError("braces {{}}")) == "braces {}"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(LanguageError) as caught:
        set_language("tlh")
    assert str(caught.value) == f"there is no translation into 'tlh', only {', '.join(languages())}"
    assert current_language() == "en"


def test_languages_name_themselves() -> None:
    assert (languages()["en"], languages()["zh_CN"]) == ("English", "简体中文")
    assert all(name and name != code for code, name in languages().items())


def test_without_its_catalogue_a_language_is_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "zh_CN" in languages()
    monkeypatch.setattr(translation, "LOCALE", tmp_path)
    assert Catalogue("zh_CN").tr("Win") == "Win"


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("en", "en"),
        ("en_GB.UTF-8", "en"),
        ("zh", "zh_CN"),
        ("zh_CN.UTF-8", "zh_CN"),
        ("zh-Hant-TW", "zh_CN"),
        (" ZH_cn@pinyin ", "zh_CN"),
        ("fr_FR", None),
        ("zhx", None),
        ("C.UTF-8", None),
        ("", None),
    ],
)
def test_match(code: str, known: str | None) -> None:
    assert match_language(code) == known


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh_CN"),
        ({"LANG": "en_US", "LC_MESSAGES": "zh_CN"}, "zh_CN"),
        ({"LANGUAGE": "fr:zh_CN:en", "LANG": "fr_FR"}, "zh_CN"),
        ({"LANGUAGE": "en:zh_CN", "LANG": "zh_CN"}, "en"),
        ({"DEMINE_LANG": "zh", "LANGUAGE": "en"}, "zh_CN"),
        ({"DEMINE_LANG": "en", "LANG": "zh_CN"}, "en"),
        ({"DEMINE_LANG": "tlh", "LANG": "zh_CN"}, "zh_CN"),
    ],
)
def test_detect(environ: dict[str, str], code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert detect_language(environ) == code


def test_detect_reads_the_real_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMINE_LANG", "zh_CN")
    assert detect_language() == "zh_CN"


def test_macos_is_asked_when_no_locale_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def defaults(*args: object, **kwargs: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 0, '(\n    "zh-Hans-CN",\n    "en-CN"\n)\n')

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(subprocess, "run", defaults)
    assert detect_language({}) == "zh_CN"
    assert detect_language({"LANG": "en_US.UTF-8"}) == "en"


def test_a_silent_macos_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    def defaults(*args: object, **kwargs: object) -> subprocess.CompletedProcess[str]:
        raise subprocess.TimeoutExpired("defaults", 2)

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(subprocess, "run", defaults)
    assert detect_language({}) == "en"


def test_windows_is_asked_when_no_locale_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    class Kernel:
        @staticmethod
        def GetUserDefaultUILanguage() -> int:  # noqa: N802 (its name on Windows)
            return 0x0804

    class Libraries:
        kernel32 = Kernel

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("ctypes.windll", Libraries, raising=False)
    assert detect_language({}) == "zh_CN"


def test_importing_loads_no_catalogue() -> None:
    script = (
        "import sys; before = set(sys.modules); import demine.scene.translation as m; m.tr('Win');"
        "print(sorted({'gettext', 'locale', 'pkgutil', 'numpy'} & (set(sys.modules) - before)))"
    )
    source = str(Path(translation.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {source!r}); {script}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


SNIPPET = """
from errors import DemineError

class OwnError(DemineError):
    pass

LATER = mark("through a constant")
TEMPLATE = "through a name"

def reason(kind):
    if kind:
        return "from a helper" if kind > 1 else ""
    return None or "by default"

def refused(row, template, **params):
    return OwnError(template, row=row, **params)

class Door:
    def words(self, text):
        raise OwnError(text)

    def knock(self, n):
        self.words(text="to a method")
        refused(1, "to a function")
        trouble = reason(n)
        raise OwnError(trouble) if n else OwnError(TEMPLATE)

ntr("{n} mine", "{n} mines", 3)
messages.tr("an attribute")
tr(variable)
ValueError("somebody else's")
OwnError(LATER)
OwnError(f"not {this}")
"""


def test_what_is_collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "demine"
    package.mkdir()
    (package / "door.py").write_text(SNIPPET, encoding="utf-8")
    themes = package / "scene" / "themes"
    themes.mkdir(parents=True)
    (themes / "dusk.json").write_text(json.dumps({"title": "a title"}), encoding="utf-8")
    monkeypatch.setattr(catalogues, "PACKAGE", package)
    catalogue, found = catalogues.collect_messages()
    assert {message.id for message in catalogue if message.id} == {
        "through a constant",
        "through a name",
        "from a helper",
        "by default",
        "to a method",
        "to a function",
        ("{n} mine", "{n} mines"),
        "an attribute",
        "a title",
    }
    line = SNIPPET.splitlines().index('OwnError(f"not {this}")') + 1
    assert found == [f"demine/door.py:{line}: an f-string cannot be translated"]


def test_the_real_sentences_are_collected(template: Catalog) -> None:
    said = {message.id for message in template}
    assert {
        "Win",
        "Dark",
        "Flag at the pointer",
        "the game is over",
        "nothing is wrong",
    } - said == {"nothing is wrong"}


PO = """
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=1; plural=0;\\n"

msgid "right {n}"
msgstr "对 {n}"

msgid "left"
msgstr ""

msgid "{a} and {b}"
msgstr "{a} 和 {c}"

#, fuzzy
msgid "perhaps"
msgstr "也许"

msgid "{n} mine"
msgid_plural "{n} mines"
msgstr[0] "雷"
"""


def test_faults_are_found(tmp_path: Path) -> None:
    path = tmp_path / "zh_CN" / "LC_MESSAGES" / "demine.po"
    path.parent.mkdir(parents=True)
    path.write_text(PO, encoding="utf-8")
    catalogue = catalogues.read_catalogue(path)
    assert sorted(catalogues.translation_faults(catalogue)) == [
        "not sure: 'perhaps'",
        "not translated: 'left'",
        "other fields than '{a} and {b}': '{a} 和 {c}'",
        "other fields than '{n} mines': '雷'",
    ]
    assert catalogues.is_binary_stale(path, catalogue)


def test_a_binary_catalogue_follows_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "zh_CN" / "LC_MESSAGES" / "demine.po"
    path.parent.mkdir(parents=True)
    path.write_text(PO.replace("#, fuzzy\n", ""), encoding="utf-8")
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    catalogues.compile_catalogues()
    assert not catalogues.is_binary_stale(path, catalogues.read_catalogue(path))
    path.write_text(path.read_text(encoding="utf-8").replace("也许", "可能"), encoding="utf-8")
    assert catalogues.is_binary_stale(path, catalogues.read_catalogue(path))
    catalogues.compile_catalogues()
    assert not catalogues.is_binary_stale(path, catalogues.read_catalogue(path))


def test_an_update_keeps_what_was_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    package, locale = tmp_path / "demine", tmp_path / "demine" / "locale"
    path = locale / "zh_CN" / "LC_MESSAGES" / "demine.po"
    path.parent.mkdir(parents=True)
    path.write_text(PO, encoding="utf-8")
    (locale / "zh_CN" / "language.json").write_text('{"complete": true}', encoding="utf-8")
    (package / "a.py").write_text('tr("left"); tr("new"); tr("right {n}", n=1)', encoding="utf-8")
    monkeypatch.setattr(catalogues, "PACKAGE", package)
    monkeypatch.setattr(catalogues, "LOCALE", locale)
    monkeypatch.setattr(catalogues, "TEMPLATE", locale / "demine.pot")
    left = ["zh_CN: not translated: 'left'", "zh_CN: not translated: 'new'"]
    assert catalogues.main(["update"]) == 1
    assert sorted(capsys.readouterr().out.splitlines()) == left
    once = path.read_text(encoding="utf-8")
    assert "对 {n}" in once
    assert "也许" not in once
    assert catalogues.main(["update"]) == 1
    assert path.read_text(encoding="utf-8") == once
    (package / "a.py").write_text('tr("left"); tr("another")', encoding="utf-8")
    capsys.readouterr()
    assert catalogues.main(["check"]) == 1
    said = capsys.readouterr().out
    assert "demine.pot is not what the code says: update it" in said
    assert "zh_CN: not in the catalogue: 'another'" in said
    assert "zh_CN: no longer said: 'new'" in said


# Another language


@pytest.fixture(scope="module")
def locale_with_esperanto(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of languages with Chinese and a small, made-up one that says a single word."""
    locale = tmp_path_factory.mktemp("languages") / "locale"
    shutil.copytree(translation.LOCALE, locale)
    with pytest.MonkeyPatch.context() as patch:
        use_locale(locale, patch)
        assert catalogues.main(["add", "eo", "Esperanto"]) == 0
        path = locale / "eo" / "LC_MESSAGES" / "demine.po"
        text = path.read_text("utf-8")
        said = text.replace('msgid "Win"\nmsgstr ""', 'msgid "Win"\nmsgstr "Venko"')
        path.write_text(said, "utf-8")
        catalogues.compile_catalogues()
    return locale


def use_locale(locale: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(translation, "LOCALE", locale)
    patch.setattr(catalogues, "LOCALE", locale)
    patch.setattr(catalogues, "TEMPLATE", locale / "demine.pot")


@pytest.fixture
def with_esperanto(locale_with_esperanto: Path, tmp_path: Path) -> Iterator[Path]:
    """The folder of the made-up language, in a folder of languages that is used."""
    locale = shutil.copytree(locale_with_esperanto, tmp_path / "locale")
    with pytest.MonkeyPatch.context() as patch:
        use_locale(locale, patch)
        _forget_languages()
        yield locale / "eo"
        set_language("en")
    _forget_languages()  # only now: whoever asks before finds the made-up one again


def _forget_languages() -> None:
    for listed in (translation.language_codes, languages):
        listed.cache_clear()


@pytest.mark.usefixtures("with_esperanto")
def test_a_folder_is_a_language_and_what_it_leaves_out_is_english() -> None:
    codes = list(languages())
    assert (codes[0], languages()["eo"]) == ("en", "Esperanto")
    assert match_language("eo_XX.UTF-8") == set_language("eo") == "eo"
    assert (tr("Win"), tr("Game over")) == ("Venko", "Game over")
    assert ntr("{n} mine", "{n} mines", 1) == "1 mine"
    assert ntr("{n} mine", "{n} mines", 2) == "2 mines"
    assert translation.use_next_language() == [*codes, "en"][codes.index("eo") + 1]


def test_a_language_has_to_be_complete_only_where_it_says_so(
    with_esperanto: Path, template: Catalog
) -> None:
    assert catalogues.all_problems(template) == []
    (with_esperanto / "language.json").write_text('{"complete": true}', "utf-8")
    assert "eo: not translated: 'Game over'" in catalogues.all_problems(template)
    languages.cache_clear()
    assert languages()["eo"] == "eo"  # it forgot its name


def test_the_same_country_goes_before_the_same_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "language_codes", lambda: ("en", "pt_BR", "pt_PT", "zh_CN"))
    codes = ("pt-PT", "pt_br.UTF-8", "pt", "pt_AO", "zh-Hant-TW")
    assert [match_language(code) for code in codes] == [
        "pt_PT", "pt_BR", "pt_BR", "pt_BR", "zh_CN",
    ]  # fmt: skip
