/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CLI_SIDE_GRAPH_H
#define WEFT_CLI_SIDE_GRAPH_H

/* `weft graph`: the nearest neighbours of features as a list of edges. */
int graph_command(int count, char **arguments);

#endif
