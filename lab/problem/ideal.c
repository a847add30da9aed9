/* SPDX-License-Identifier: MIT */
#include "lab/problem/ideal.h"

#include "lab/problem/graph.h"

const char *lab_ideal_name(lab_ideal ideal)
{
    return ideal == LAB_PARTITION ? "partition kernel" : "clique star";
}

weft_status lab_ideal_side(lab_ideal ideal, int64_t count, int64_t k, const int64_t *class_of,
                           weft_side **side, weft_error *error)
{
    if (ideal == LAB_PARTITION)
        return weft_side_from_classes(count, class_of, LAB_EPSILON, NULL, side, error);
    lab_graph graph = lab_graph_ideal(count, k, class_of);
    weft_status status = lab_graph_side(&graph, side, error);
    lab_graph_free(&graph);
    return status;
}
