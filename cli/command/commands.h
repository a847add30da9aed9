/* SPDX-License-Identifier: MIT
 * The commands of weft.  arguments[0] is the name for messages, such as "weft run"; the exit status comes
 * back. */
#ifndef WEFT_CLI_COMMAND_COMMANDS_H
#define WEFT_CLI_COMMAND_COMMANDS_H

int run_command(int count, char **arguments);
int check_command(int count, char **arguments);
int compare_command(int count, char **arguments);
int predict_command(int count, char **arguments);
int top_command(int count, char **arguments);
int explain_command(int count, char **arguments);
int inspect_command(int count, char **arguments);
int forget_command(int count, char **arguments);
int merge_command(int count, char **arguments);
int evidence_command(int count, char **arguments);
int graph_command(int count, char **arguments);
int generate_command(int count, char **arguments);
int experiment_command(int count, char **arguments);
int bound_command(int count, char **arguments);

#endif
