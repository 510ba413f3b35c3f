"""Sets the language: of this program's texts, and of Qt's own buttons and menus."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from demine.scene.translation import SOURCE, detect_language, set_language


class TranslationInstaller:
    """Installs one language at a time; Qt sends every widget a `LanguageChange` event."""

    def __init__(self) -> None:
        self._translator: QTranslator | None = None

    def install_language(self, code: str) -> None:
        """Switch to a language, or to the system's if `code` is empty."""
        chosen = set_language(code or detect_language())
        QLocale.setDefault(QLocale(chosen))
        if self._translator is not None:
            QCoreApplication.removeTranslator(self._translator)
            self._translator = None
        if chosen != SOURCE:
            folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
            translator = QTranslator()
            # A Qt without its catalogues shows English on its own few buttons.
            if translator.load(f"qtbase_{chosen}", folder):
                QCoreApplication.installTranslator(translator)
                self._translator = translator
