"""Cases of make_oracle.py: signals, and rows of pictures, by SciPy."""

import numpy as np
import scipy.signal

import formulas as f


def peaks_of(x, least=None, prominence=0.0, distance=None):
    """A row a peak of each row of (height, width): x, y, value, prominence. least and prominence: of full scale."""
    white = f.white(x)
    rows = []
    for y, row in enumerate(np.atleast_2d(x)):
        at, found = scipy.signal.find_peaks(row.astype(np.float64), height=None if least is None else least * white,
                                            prominence=prominence * white, distance=distance)
        values = row[at]
        assert distance is None or len(set(values)) == len(values) or len(values) <= 16  # of equal ones the last stays
        rows += [[i, y, value, height] for i, value, height in zip(at, values, found["prominences"])]
    return np.array(rows, np.float64).reshape(-1, 4)


def peaks(o):
    cases = (("signalf", "", {}), ("signalf", ":0.1", dict(prominence=0.1)),
             ("signalf", ":0.05:min=0.5:distance=9", dict(prominence=0.05, least=0.5, distance=9)),
             ("signal16", ":0.25", dict(prominence=0.25)), ("gray8", ":0.2", dict(prominence=0.2)),
             ("gray16", ":min=0.6", dict(least=0.6)), ("grayf", ":0.25:distance=5", dict(prominence=0.25, distance=5)))
    for name, text, words in cases:
        label = "peaks" + text.replace(":", "_").replace("=", "_")
        o.add(label, name, "peaks" + text, "peaks", peaks_of(o.inputs[name], **words), "exact", "scipy.signal.find_peaks")
