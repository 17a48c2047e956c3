"""Closedness, orientation and Betti numbers of a solid's boundary, from its welded mesh."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from gaugeblock.records.measurement import Topology
from gaugeblock.ruler.facts.mesh import Ints, Mesh
from gaugeblock.ruler.facts.outline import Boundary


def judge(mesh: Mesh) -> Boundary:
    """Judge the closedness of `mesh` and count its cells.

    With V, E, F of the triangulation, χ = V − E + F; for a closed orientable surface of c pieces
    the Betti numbers are [c, 2c − χ, c] and the genus is (2c − χ)/2 (Euler–Poincaré).
    """
    triangles = mesh.welded_triangles()
    if not len(triangles):
        nothing = Topology(euler=None, genus=None, betti=None, reason="no triangles")
        return Boundary(balanced=False, manifold=False, open_edges=0, topology=nothing)
    size = int(triangles.max()) + 1
    tails = triangles.ravel()
    heads = np.roll(triangles, -1, axis=1).ravel()
    there, there_count = np.unique(tails * size + heads, return_counts=True)
    back, back_count = np.unique(heads * size + tails, return_counts=True)
    balanced = bool(np.array_equal(there, back) and np.array_equal(there_count, back_count))
    unmatched = len(np.setdiff1d(there, back))
    if not balanced:
        reason = f"the mesh is not closed and orientable ({unmatched} unmatched half-edges)"
        topology = Topology(euler=None, genus=None, betti=None, reason=reason)
        return Boundary(balanced, False, unmatched, topology)
    manifold = bool((there_count == 1).all()) and _one_fan_each(triangles, size)
    if not manifold:
        reason = "the boundary is not manifold: an edge or a vertex joins more than one sheet"
        topology = Topology(euler=None, genus=None, betti=None, reason=reason)
        return Boundary(balanced, False, 0, topology)
    nodes = np.unique(triangles)
    euler = len(nodes) - len(there) // 2 + len(triangles)
    graph = coo_array((np.ones(len(tails)), (tails, heads)), shape=(size, size))
    pieces = len(np.unique(connected_components(graph, directed=False)[1][nodes]))
    topology = Topology(
        euler=euler,
        genus=(2 * pieces - euler) // 2,
        betti=(pieces, 2 * pieces - euler, pieces),
    )
    return Boundary(True, True, 0, topology)


def _one_fan_each(triangles: Ints, size: int) -> bool:
    """Whether the triangles around each node form a single fan.

    At a node of a closed edge-manifold mesh each triangle leads to the next one over its edge, so
    the (node, neighbour) pairs form cycles; one cycle a node means one fan.
    """
    a, b, c = triangles.T
    corner = np.concatenate([a, b, c])
    enters = corner * size + np.concatenate([b, c, a])
    leaves = corner * size + np.concatenate([c, a, b])
    keys, position = np.unique(np.concatenate([enters, leaves]), return_inverse=True)
    half = len(corner)
    graph = coo_array(
        (np.ones(half), (position[:half], position[half:])), shape=(len(keys), len(keys))
    )
    cycles = connected_components(graph, directed=False)[0]
    return bool(cycles == len(np.unique(corner)))
