/* SPDX-License-Identifier: MIT
 * Runs of an experiment, side by side, remembered one by one.
 *
 * A finished run is one line of OUT/NAME.journal, written at once and brought to the
 * disk: whatever happens to the program (kill -9 included), the next call with the same
 * OUT repeats nothing but the runs that were under way.  Answers are found by the key of
 * the task, so neither the order in which runs end nor the number of jobs matters. */
#ifndef WEFT_LAB_RUNS_WORK_H
#define WEFT_LAB_RUNS_WORK_H

#include "lab/lab.h"

/* One run.  The key holds everything that its answer depends on, but for the program
 * itself: "text seed=1 n=40 beta=0.5 run=3".  No tab, no newline. */
typedef struct lab_task {
    char key[120];
    const void *given; /* what `work` needs, borrowed */
    double cost;       /* about, in any unit: for the time left; the largest go first */
} lab_task;

/* Makes one run: `answer` has lab_plan.answers numbers, finite ones.  Called from several
 * threads at once; must not depend on anything but `given`. */
typedef weft_status lab_work(const void *given, double *answer, weft_error *error);

typedef struct lab_plan {
    const char *name; /* of the experiment */
    int version;      /* of what its runs do; a journal of another one is refused */
    lab_work *work;
    int answers; /* numbers a run, 1 to LAB_MOST_VALUES */
    const lab_task *tasks;
    int64_t count;
} lab_plan;

/* Makes the runs that the journal does not have; *answers is count x plan->answers, row
 * by row in the order of the tasks, to be freed.  WEFT_MODEL where the journal is damaged
 * or of another version, WEFT_WRITE, also where another program uses it now; an
 * interruption ends it with WEFT_FILE and "interrupted". */
weft_status lab_work_perform(const lab_plan *plan, const lab_request *request, double **answers,
                             weft_error *error);

#endif
