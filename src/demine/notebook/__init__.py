"""Games, boards and chances as pictures in a notebook: `demine.show` and `demine.heat_map`.

Nothing here needs a notebook: a `Picture` is SVG and pixels, and can be saved anywhere.
"""
