"""SPDX-License-Identifier: MIT

Every pointer of every public function is NULL once, in a process of its own, with sound arguments around it.  A
function that answers a status says WEFT_ARGUMENT and "... is NULL", unless the pointer is in the table of optional
ones; the others answer something and do not crash.  A function of the headers that has a new type of parameter does
not compile until a value for it stands in PROLOGUE.  Two functions that forget to look are planted and must be found.
"""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.environ.get("WEFT_SOURCE_DIR") or os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.realpath(os.environ.get("WEFT_BUILD_DIR") or os.path.join(ROOT, "build", "release"))
HEADERS = ["weft.h", "weft_advanced.h", "weft_files.h", "weft_theory.h"]

# What the headers call optional: by the name of the parameter everywhere, or in one function.
OPTIONAL = {"error", "options", "memory", "columns", "names", "truth", "reasons", "user", "progress", "plan"}
OPTIONAL_IN = {("weft_player_learn", "answer"), ("weft_player_learn_late", "answer"), ("weft_player_learn_anew", "answer"),
               ("weft_player_learn_many", "answers"), ("weft_player_learn_many", "learnt"), ("weft_player_to_bytes", "buffer"),
               ("weft_player_record", "record"), ("weft_side_append", "item"),
               ("weft_roster_admit", "event"), ("weft_player_write", "buffer"), ("weft_committee_members", "members"),
               ("weft_reader_predict", "event"), ("weft_player_profile", "rows"),
               ("weft_player_learn_event", "answer"), ("weft_player_learn_event", "drawn"),
               ("weft_player_learn_event_late", "answer"), ("weft_player_learn_event_late", "drawn"),
               ("weft_player_play", "answers"), ("weft_player_play", "played")}

# Arguments that are not of the type's own object below.
SCALARS = {"int64_t": "1", "int": "1", "double": "0.5", "bool": "false", "size_t": "8", "count": "4", "row": "0",
           "column": "0", "id": "0", "k": "1", "l": "1", "r": "0", "c": "0"}
VALUES = {("const uint64_t *", None): "halves", ("weft_roster *const *", None): "some_rosters",
          ("const char *", "spec"): '"none"', ("const char *", "path"): '"/no/such/folder/file"', ("int64_t *", None): "numbers",
          ("int64_t", None): "numbers", ("double *", None): "numerals", ("const int64_t *", None): "numbers",
          ("const double *", None): "kernel", ("const char *", None): '"a"', ("const char *const *", None): "names",
          ("void *", None): "numerals", ("const void *", None): "numerals", ("bool *", None): "&flag",
          ("size_t *", None): "&size", ("weft_kernel_function *", None): "identity",
          ("const int *", None): "integers", ("uint64_t *", None): "halves",
          ("weft_answer *", "answers"): "answers", ("const weft_member *", None): "four",
          ("weft_player *", "other"): "other", ("weft_roster *", "columns"): "second"}

PROLOGUE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "weft_files.h"
#include "weft_theory.h"
static int64_t numbers[16];
static double numerals[16];
static const double kernel[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const char *const names[] = {"a", "b", "c", "d"};
static bool flag;
static size_t size = sizeof numerals;
static void *out;
static double identity(void *user, int64_t i, int64_t j) { (void)user; return i == j; }
static weft_side *a_weft_side;
static weft_player *a_weft_player, *other;
static weft_roster *some_rosters[4], *a_weft_roster, *second;
static weft_ids *a_weft_ids;
static weft_edges *a_weft_edges;
static weft_table *a_weft_table;
static weft_stream *a_weft_stream;
static weft_comparator *a_weft_comparator;
static weft_waiting *a_weft_waiting;
static weft_reader *a_weft_reader;
static weft_answer answers[16];
static weft_member four[4];
static int integers[16];
static uint64_t halves[2];
#define OBJECT(type) static type a_##type
OBJECT(weft_player_options); OBJECT(weft_answer); OBJECT(weft_query); OBJECT(weft_ranked); OBJECT(weft_explanation);
OBJECT(weft_influence); OBJECT(weft_file_options); OBJECT(weft_stream_options); OBJECT(weft_model_options); OBJECT(weft_event); OBJECT(weft_memory);
OBJECT(weft_side_options); OBJECT(weft_item); OBJECT(weft_open_answer); OBJECT(weft_evidence_entry); OBJECT(weft_counters);
OBJECT(weft_settings); OBJECT(weft_rival_settings); OBJECT(weft_committee_settings); OBJECT(weft_member);
OBJECT(weft_views); OBJECT(weft_model); OBJECT(weft_side_term); OBJECT(weft_truth); OBJECT(weft_scale);
OBJECT(weft_measure); OBJECT(weft_reasons); OBJECT(weft_course); OBJECT(weft_progress); OBJECT(weft_plan);
OBJECT(weft_profile_row); OBJECT(weft_context_fields); OBJECT(weft_events); OBJECT(weft_text);
static weft_negatives a_weft_negatives = {.count = 1, .ids = 4};
static weft_model_facts a_weft_model_facts;
static weft_language a_weft_language;
static weft_drawn a_weft_drawn = {numbers, answers, 0};
static weft_features a_weft_features = {.count = 4, .dimension = 1, .values = kernel, .parameter = 1};
static weft_graph a_weft_graph = {.vertices = 4, .edges = 1, .from = numbers, .to = numbers};
static weft_neighbours a_weft_neighbours = {.k = 1};
static weft_status planted_reads(const weft_memory *thing, weft_error *error)
{ (void)error; return thing->user == thing ? WEFT_OK : WEFT_ARGUMENT; }
static weft_status planted_takes(const weft_memory *thing, weft_error *error)
{ (void)thing; (void)error; return WEFT_OK; }
static void demand(weft_status status)
{ if (status != WEFT_OK) { puts("the arguments cannot be made"); exit(2); } }
static void prepare(void)
{
    const char *empty = "/dev/null";
    a_weft_query = (weft_query){.most = 1, .candidates = numbers, .candidate_count = 1};
    a_weft_rival_settings.kind = WEFT_RIVAL_CONSTANT;
    a_weft_settings = weft_settings_default(4, 4, 10);
    demand(weft_side_none(4, NULL, &a_weft_side, NULL));
    demand(weft_learner_create(a_weft_side, a_weft_side, &a_weft_settings, NULL, &a_weft_player, NULL));
    demand(weft_player_learn(a_weft_player, 0, 0, -1, NULL, NULL));
    demand(weft_player_clone(a_weft_player, &other, NULL));
    demand(weft_reader_create(other, &a_weft_reader, NULL));
    demand(weft_reader_predict(a_weft_reader, 0, 0, 0, &a_weft_answer, NULL, NULL)); /* its thread rests: no child has it */
    demand(weft_roster_from_names(4, names, NULL, &a_weft_roster, NULL));
    demand(weft_roster_from_names(4, names, NULL, &second, NULL));
    demand(weft_ids_create(NULL, &a_weft_ids, NULL));
    demand(weft_ids_add(a_weft_ids, "a", numbers, NULL));
    demand(weft_stream_open(&empty, 1, NULL, &a_weft_stream, NULL));
    demand(weft_comparator_create(1, 1, NULL, &a_weft_comparator, NULL));
    demand(weft_waiting_create(4, NULL, &a_weft_waiting, NULL));
    a_weft_event = (weft_event){.row = "a", .column = "b"};
    a_weft_member.rows = a_weft_member.columns = a_weft_side;
    for (int k = 0; k < 4; k++)
        four[k] = a_weft_member;
    a_weft_model = (weft_model){.rows = a_weft_roster, .columns = second, .player = a_weft_player};
    a_weft_memory.user = NULL;
}
/* What became of a child: its call crashed, or it found another answer than it should. */
static int judge(const char *what, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    printf("%s: %s\n", what, WIFSIGNALED(status) || WEXITSTATUS(status) != 1 ? "crashes" : "is not told as WEFT_ARGUMENT, X is NULL");
    return 1;
}
static weft_error error;
#define CHILD(what, call)                                                                  \
    do {                                                                                   \
        fflush(stdout);                                                                    \
        int status = 0;                                                                    \
        pid_t child = fork();                                                              \
        if (child == 0) { call; exit(0); }                                                 \
        waitpid(child, &status, 0);                                                        \
        bad += judge(what, status);                                                        \
    } while (0)
#define REFUSED(what, call) CHILD(what, if ((call) != WEFT_ARGUMENT || strstr(error.message, "is NULL") == NULL) exit(1))
#define ENDURED(what, call) CHILD(what, (void)(call))
int main(void)
{
    int bad = 0;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    prepare();
"""

PLANTED = """WEFT_API weft_status planted_reads(const weft_memory *thing, weft_error *error);
WEFT_API weft_status planted_takes(const weft_memory *thing, weft_error *error);"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def functions(text):
    """(answers a status, name, [(type, name) of the parameters])"""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    for match in re.finditer(r"^WEFT_API ([^;()]*?)(\w+)\(([^;]*?)\);", text, re.M):
        parameters = [re.fullmatch(r"(.*?)(\w+)(\[\d+\])?", " ".join(part.split())) for part in match.group(3).split(",")]
        if match.group(3) != "void":
            yield (match.group(1).strip() == "weft_status", match.group(2),
                   [(p.group(1).strip() + (" *" if p.group(3) else ""), p.group(2)) for p in parameters])


def argument(kind, name):
    if "*" not in kind:
        return SCALARS.get(name) or SCALARS.get(kind) or (f"({kind})0" if kind != "weft_scale" else "a_weft_scale")
    value = VALUES.get((kind, name)) or VALUES.get((kind, None))
    if value:
        return value
    if kind.endswith("**"):
        return f"({kind})&out"
    bare = kind.replace("const ", "").replace(" *", "")
    return f"OWN({bare})"


def calls(text):
    opaque = set(re.findall(r"typedef struct (\w+) \1;", text))
    for status, function, parameters in functions(text + PLANTED):
        for place, (kind, name) in enumerate(parameters):
            if "*" not in kind or name == "error":
                continue
            given = [argument(*parameter) for parameter in parameters]
            given = [re.sub(r"OWN\((\w+)\)", lambda m: ("" if m.group(1) in opaque else "&") + "a_" + m.group(1), v) for v in given]
            given = ["&error" if parameter[1] == "error" else value for parameter, value in zip(parameters, given)]
            given[place] = "NULL"
            refused = status and name not in OPTIONAL and (function, name) not in OPTIONAL_IN
            yield f'    {"REFUSED" if refused else "ENDURED"}("{function}, {name}", {function}({", ".join(given)}));'


def main():
    cache = read(os.path.join(BUILD, "CMakeCache.txt"))
    sanitize = re.search(r"^WEFT_SANITIZE:STRING=(.+)$", cache, re.M)
    flags = [f"-fsanitize={sanitize.group(1)}"] if sanitize else []
    flags += ["--coverage"] if re.search(r"^WEFT_COVERAGE:BOOL=ON$", cache, re.M) else []
    lines = list(calls("".join(read(os.path.join(ROOT, "include", header)) for header in HEADERS)))
    compiler = re.search(r"^CMAKE_C_COMPILER:\w*=(.*)$", cache, re.M).group(1)
    with tempfile.TemporaryDirectory() as place:
        source, program = os.path.join(place, "pointers.c"), os.path.join(place, "pointers")
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROLOGUE + "\n".join(lines) + "\n    return bad;\n}\n")
        subprocess.run([compiler, "-std=gnu11", *flags, "-I" + os.path.join(ROOT, "include"), source, "-o", program,
                        os.path.join(BUILD, "libweft.a"), *"-llapacke -lopenblas -lcholmod -lz -lm -lpthread".split()], check=True)
        ended = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                               env={**os.environ, "ASAN_OPTIONS": "exitcode=99:detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99"})
    reports = ended.stdout.splitlines()
    found = {report for report in reports if report.startswith("planted_")}
    for report in sorted(set(reports) - found):
        print(report)
    expected = {"planted_reads, thing: crashes", "planted_takes, thing: is not told as WEFT_ARGUMENT, X is NULL"}
    print(f"{len(lines)} pointers, {len(reports) - len(found)} that are not looked at; {len(found)} of 2 planted were found")
    return 0 if found == expected and len(reports) == 2 and len(lines) > 100 else 1


if __name__ == "__main__":
    sys.exit(main())
