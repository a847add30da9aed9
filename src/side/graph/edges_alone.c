/* SPDX-License-Identifier: MIT
 *
 * A graph without a kernel: K = I.  Its ids are known by their edges alone, to those who describe an id by
 * its neighbours (side/graph/links.h); so there is nothing to invert, however large it is. */
#include "side/graph/graph.h"
#include "side/kinds/none.h"

/* A new id has no edges. */
static weft_status append(weft_side *side, const weft_item *item, weft_error *error)
{
    if (item->alone)
        return WEFT_OK;
    return weft__fail(error, WEFT_UNSUPPORTED,
                      "%s: the neighbours depend on all ids at once, so a new id can only be added alone",
                      side->ops->name);
}

static const weft__side_ops edges_ops = {
    .name = "graph",
    .vectors = 1,
    .entry = weft__none_entry,
    .diagonal = weft__none_diagonal,
    .column = weft__side_column_by_entry,
    .product = weft__none_product,
    .append = append,
    .release = weft__none_release,
};

weft_status weft__graph_make_edges(int64_t vertices, const weft_side_options *options, weft_side **side,
                                   weft_error *error)
{
    return weft__side_create(&edges_ops, sizeof **side, vertices, options, side, error);
}
