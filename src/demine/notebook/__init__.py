"""Pictures of games, boards and risks for notebooks: `demine.show` and `demine.heat_map`.

No notebook is needed: a `Picture` is SVG and pixels, and can be saved to a file.
"""
