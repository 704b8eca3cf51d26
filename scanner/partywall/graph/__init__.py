"""The world as columns, and the questions that are put to it: who crosses, by which paths, what lies behind, what a change closes.

Pure numbers: nodes, edges, levers and conditions are positions in somebody else's lists, and owners are bits. Names are attached elsewhere.

- `Columns` holds a world; `bits` packs sets of owners for it.
- `crossings` finds every edge that leaves home, with all pairs, in the surest plane.
- `certainty_of` and `recheck` drop what contradicts itself.
- `paths_to`, `common_levers`, `behind` explain a crossing; `ways`, `way_to` and `smallest_cut` explain a pair of owners.
- `matrix` is reach that no wall stops; `blind_cells` is where gaps forbid to say "clear".
- `proof` compares two worlds; `survey` evaluates one for many proofs.
"""

from partywall.graph.behind import behind, unstopped
from partywall.graph.blind import blind_cells, unknown_cells
from partywall.graph.causes import common_levers
from partywall.graph.columns import CONDITIONAL, LANES, NONE, PLANES, SURE, UNKNOWN, Columns
from partywall.graph.conditions import certainty_of, conditions_on, consistent, recheck
from partywall.graph.cut import Cut, smallest_cut
from partywall.graph.paths import Path, paths_to
from partywall.graph.proof import Proof, Survey, proof, survey, touches_of
from partywall.graph.reach import Crossings, crossings
from partywall.graph.touches import NEVER, Matrix, Touch, Touched, each_touch, matrix, touched, touches
from partywall.graph.walks import Walk
from partywall.graph.ways import way_to, ways

__all__ = [
    "CONDITIONAL",
    "LANES",
    "NEVER",
    "NONE",
    "PLANES",
    "SURE",
    "UNKNOWN",
    "Columns",
    "Crossings",
    "Cut",
    "Matrix",
    "Path",
    "Proof",
    "Survey",
    "Touch",
    "Touched",
    "Walk",
    "behind",
    "blind_cells",
    "certainty_of",
    "common_levers",
    "conditions_on",
    "consistent",
    "crossings",
    "each_touch",
    "matrix",
    "paths_to",
    "proof",
    "recheck",
    "smallest_cut",
    "survey",
    "touched",
    "touches",
    "touches_of",
    "unknown_cells",
    "unstopped",
    "way_to",
    "ways",
]
