"""The bar in which a player chooses what is asked: a kind, a pattern, or the drill of the day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from demine.desktop.widget_builders import fill_combo_box, hbox, vbox
from demine.play.drills.drill import DrillKind
from demine.play.drills.find_or_make import go_together
from demine.play.drills.patterns import DrillPattern, PatternName
from demine.play.drills.todays_session import DrillChoice
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from demine.desktop.retranslator import Retranslator


class DrillChoiceBar(QWidget):
    """Chooses which drills a set has; `changed` asks for a set of these."""

    changed = Signal()

    def __init__(self, texts: Retranslator) -> None:
        super().__init__()
        self.kind, self.pattern = QComboBox(), QComboBox()
        self.daily = texts.make_button(mark("Drill of the da&y"), self._daily_clicked)
        self.daily.setCheckable(True)
        self.update_texts()
        self.kind.currentIndexChanged.connect(self._kind_changed)
        self.pattern.currentIndexChanged.connect(lambda _: self.changed.emit())
        labels = (
            texts.make_label(mark("&Kind:"), self.kind),
            texts.make_label(mark("Patte&rn:"), self.pattern),
        )
        bar = hbox(labels[0], self.kind, labels[1], self.pattern, None, self.daily)
        vbox(bar, parent=self).setContentsMargins(0, 0, 0, 0)

    @property
    def choice(self) -> DrillChoice:
        """What is chosen."""
        if self.daily.isChecked():
            return DrillChoice(is_daily=True)
        return DrillChoice(self.kind.currentData(), self.pattern.currentData())

    def leave_daily(self) -> None:
        """Choose what was chosen before the drill of the day, which is asked once a day."""
        self.daily.setChecked(False)
        self._enable_boxes()

    def update_texts(self) -> None:
        """Write what can be chosen in the current language."""
        kinds = ((tr(kind.heading), kind.value) for kind in DrillKind)
        chosen = self.kind.currentData()
        fill_combo_box(self.kind, [(tr("All kinds"), None), *kinds], chosen)
        self._fill_patterns()

    def _fill_patterns(self) -> None:
        """Offer the patterns that drills of the chosen kind may have."""
        kind, chosen = self.kind.currentData(), self.pattern.currentData()
        names = [
            name for name in PatternName
            if kind is None or go_together(DrillKind(kind), DrillPattern(name))
        ]  # fmt: skip
        patterns = ((tr(name.words), name.value) for name in names)
        fill_combo_box(self.pattern, [(tr("All patterns"), None), *patterns], chosen)

    def _kind_changed(self) -> None:
        self._fill_patterns()
        self.changed.emit()

    def _daily_clicked(self) -> None:
        self._enable_boxes()
        self.changed.emit()

    def _enable_boxes(self) -> None:
        for box in (self.kind, self.pattern):
            box.setEnabled(not self.daily.isChecked())
