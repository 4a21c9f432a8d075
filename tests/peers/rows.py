"""All rows of docs/peers.md, and the stages that have no peer."""
import rows_morphology
import rows_moves
import rows_points
import rows_ranks
import rows_regions
import rows_whole
import rows_windows

ROWS = (rows_points.ROWS + rows_windows.ROWS + rows_ranks.ROWS + rows_morphology.ROWS + rows_moves.ROWS +
        rows_regions.ROWS + rows_whole.ROWS)
ALONE = {}
