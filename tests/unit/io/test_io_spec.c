/* SPDX-License-Identifier: MIT
 * The words in which side information is asked for. */
#define _POSIX_C_SOURCE 200809L

#include "io/roster/spec.h"
#include "unit/test_io_support.h"

static weft__spec parse(const char *text)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__spec spec = {0};
    weft_error error = {0};
    if (weft__spec_parse(text, &memory, &spec, &error) != WEFT_OK)
        fail_msg("%s: %s", text, error.message);
    return spec;
}

static void release(weft__spec *spec)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__spec_free(spec, &memory);
}

static void kinds_and_defaults(void **state)
{
    weft__spec spec = parse("none");
    assert_int_equal(spec.source, WEFT__NONE);
    assert_null(spec.path);
    release(&spec);
    spec = parse("classes:a file.txt");
    assert_int_equal(spec.source, WEFT__CLASSES);
    assert_string_equal(spec.path, "a file.txt");
    assert_true(spec.epsilon == 0.1 && spec.radius == 0);
    assert_int_equal(spec.missing, WEFT__MISSING_ALONE);
    release(&spec);
    spec = parse("graph:g");
    assert_int_equal(spec.missing, WEFT__MISSING_ALONE);
    assert_int_equal(spec.connect, 1);
    assert_int_equal(spec.graph_kernel, WEFT_PDLAPLACIAN);
    assert_true(spec.normalised == 0 && spec.unit == 0);
    release(&spec);
    spec = parse("kernel:k:with:colons");
    assert_string_equal(spec.path, "k:with:colons");
    assert_int_equal(spec.repair, WEFT__REPAIR_ERROR);
    release(&spec);
}

static void options_of_every_kind(void **state)
{
    weft__spec spec = parse("none,radius=2");
    assert_true(spec.radius == 2);
    release(&spec);
    spec = parse("classes:c,epsilon=0,missing=alone,radius=1.5");
    assert_true(spec.epsilon == 0 && spec.radius == 1.5);
    assert_int_equal(spec.missing, WEFT__MISSING_ALONE);
    release(&spec);
    spec = parse("graph:g,connect=error,missing=error");
    assert_int_equal(spec.connect, 0);
    assert_int_equal(spec.missing, WEFT__MISSING_ERROR);
    release(&spec);
    spec = parse("graph:g,kernel=diffusion,time=2.5,laplacian=normalised,scale=unit,missing=alone");
    assert_int_equal(spec.graph_kernel, WEFT_DIFFUSION);
    assert_true(spec.time == 2.5 && spec.normalised == 1 && spec.unit == 1);
    release(&spec);
    spec = parse("graph:g,sigma=3,kernel=regularised,laplacian=plain,scale=none");
    assert_int_equal(spec.graph_kernel, WEFT_REGULARISED);
    assert_true(spec.sigma == 3 && spec.normalised == 0 && spec.unit == 0);
    release(&spec);
    spec = parse("graph:g,kernel=pdlaplacian,connect=star");
    assert_int_equal(spec.graph_kernel, WEFT_PDLAPLACIAN);
    release(&spec);
    spec = parse("graph:g,radius=2,kernel=none,missing=join");
    assert_int_equal(spec.graph_kernel, WEFT_NO_KERNEL);
    assert_true(spec.radius == 2 && spec.sigma == 0 && spec.time == 0);
    release(&spec);
    spec = parse("kernel:k,repair=shift");
    assert_int_equal(spec.repair, WEFT__REPAIR_SHIFT);
    release(&spec);
    spec = parse("matrix:m,missing=alone");
    assert_int_equal(spec.source, WEFT__MATRIX);
    release(&spec);
    spec = parse("features:f,width=3,kernel=gaussian");
    assert_int_equal(spec.kernel, WEFT_GAUSSIAN);
    assert_true(spec.width == 3);
    release(&spec);
    spec = parse("features:f,kernel=min,range=2");
    assert_true(spec.kernel == WEFT_MIN && spec.range == 2);
    release(&spec);
}

static void escapes_in_file_names(void **state)
{
    weft__spec spec = parse("classes:a\\,b\\\\c\\d,epsilon=1");
    assert_string_equal(spec.path, "a,b\\c\\d");
    assert_true(spec.epsilon == 1);
    release(&spec);
}

static const struct {
    const char *text, *words;
} refused[] = {
    {"", "expected none, classes:FILE"},
    {"klasses:f", "found no kind of side information"},
    {"none:f", "expected none without a file"},
    {"classes", "expected a colon and a file"},
    {"graph:", "expected a file after the colon"},
    {"graph:,connect=star", "expected a file after the colon"},
    {"graph:g,weight=1", "found 'weight', which is not an option of graph"},
    {"none,epsilon=1", "found 'epsilon', which is not an option of none"},
    {"graph:g,star", "found 'star', expected option=value"},
    {"graph:g,", "expected option=value"},
    {"graph:g,connect=ring", "found 'ring', expected error, star"},
    {"kernel:k,repair=maybe", "found 'maybe', expected error, clip or shift"},
    {"kernel:k,missing=join", "found 'join', expected error, alone"},
    {"graph:g,missing=x", "expected error, alone or join"},
    {"classes:c,epsilon=-1", "found '-1', expected a number of at least 0"},
    {"classes:c,epsilon=x", "found 'x', expected a number of at least 0"},
    {"classes:c,radius=0", "found '0', expected a number above 0"},
    {"classes:c,epsilon=1,epsilon=2", "epsilon= is given twice"},
    {"features:f,epsilon=1", "take missing= alone, expected kernel=linear,epsilon=E"},
    {"table:t,radius=1", "found 'radius', which is not an option of table"},
    {"table:t,id=a,id=b", "id= is given twice, expected it once"},
    {"table:t,id=", "id=: found nothing, expected the name of a column"},
    {"features:f,kernel=linear", "kernel=linear needs epsilon="},
    {"features:f,kernel=gaussian", "kernel=gaussian needs width="},
    {"features:f,kernel=min,range=1", "found '1', expected a number of at least 2"},
    {"features:f,kernel=min,range=2,width=1", "kernel=min does not take width="},
    {"features:f,kernel=cubic", "found 'cubic', expected linear, gaussian or min"},
    {"graph:g,kernel=linear", "found 'linear', expected pdlaplacian, regularised, diffusion or none"},
    {"graph:g,sigma=1", "kernel=pdlaplacian does not take sigma="},
    {"graph:g,kernel=pdlaplacian,time=1", "kernel=pdlaplacian does not take time="},
    {"graph:g,kernel=regularised", "kernel=regularised needs sigma="},
    {"graph:g,kernel=regularised,sigma=0", "sigma=: found '0', expected a number above 0"},
    {"graph:g,kernel=regularised,sigma=-1", "found '-1', expected a number above 0"},
    {"graph:g,kernel=regularised,sigma=1,time=1", "kernel=regularised does not take time="},
    {"graph:g,kernel=diffusion", "kernel=diffusion needs time="},
    {"graph:g,kernel=diffusion,time=-2", "found '-2', expected a number above 0"},
    {"graph:g,kernel=diffusion,time=nan", "expected a number above 0"},
    {"graph:g,kernel=diffusion,time=inf", "expected a number above 0"},
    {"graph:g,kernel=diffusion,time=1,sigma=1", "kernel=diffusion does not take sigma="},
    {"graph:g,kernel=diffusion,time=1,connect=star", "kernel=diffusion does not take connect="},
    {"graph:g,kernel=regularised,sigma=1,connect=error", "kernel=regularised does not take connect="},
    {"graph:g,kernel=none,sigma=1", "kernel=none does not take sigma="},
    {"graph:g,time=1,kernel=none", "kernel=none does not take time="},
    {"graph:g,kernel=none,connect=star", "kernel=none does not take connect="},
    {"graph:g,kernel=none,connect=error", "kernel=none does not take connect="},
    {"graph:g,kernel=none,laplacian=plain", "kernel=none does not take laplacian="},
    {"graph:g,laplacian=normalised,kernel=none", "kernel=none does not take laplacian="},
    {"graph:g,kernel=none,scale=unit", "kernel=none does not take scale="},
    {"graph:g,kernel=none,scale=none", "kernel=none does not take scale="},
    {"graph:g,kernel=none,map=eigen:8", "kernel=none does not take map="},
    {"graph:g,kernel=none,map=hash:8", "kernel=none does not take map="},
    {"graph:g,map=eigen:2+hash:8,seed=3,kernel=none", "kernel=none does not take map="},
    {"graph:g,kernel=none,seed=3", "seed= is that of a map"},
    {"graph:g,kernel=none,radius=0", "radius=: found '0'"},
    {"graph:g,kernel=none,kernel=none", "kernel= is given twice"},
    {"graph:g,kernel=nothing", "found 'nothing', expected pdlaplacian, regularised, diffusion or none"},
    {"features:f,kernel=none", "found 'none', expected linear, gaussian or min"},
    {"graph:g,laplacian=odd", "found 'odd', expected plain, normalised"},
    {"graph:g,scale=two", "found 'two', expected none, unit"},
    {"kernel:k,scale=unit", "found 'scale', which is not an option of kernel"},
    {"features:f,kernel=diffusion,time=1", "found 'diffusion', expected linear, gaussian or min"},
    {"graph:g,connect=0123456789012345678901234567890123456789012345678901234567890123456789",
     "expected ,option=value"},
};

static void refusals(void **state)
{
    weft_memory memory = weft__memory_or_default(NULL);
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        weft_error error = {0};
        weft__spec spec = {0};
        assert_int_equal(weft__spec_parse(refused[k].text, &memory, &spec, &error), WEFT_ARGUMENT);
        if (strstr(error.message, refused[k].words) == NULL)
            fail_msg("%s: %s", refused[k].text, error.message);
    }
}

/* What says nothing of the kernel leaves it open: whom to let in, where the names are, what joins pieces. */
static void what_closes_a_kernel(void **state)
{
    static const struct {
        const char *text;
        bool open;
    } list[] = {
        {"graph:g", true},
        {"graph:g,missing=alone", true},
        {"graph:g,missing=join", true},
        {"graph:g,missing=error,connect=star", true},
        {"graph:g,connect=error", true},
        {"graph:g,ids=names.txt", true},
        {"graph:g,kernel=pdlaplacian", false},
        {"graph:g,kernel=none", false},
        {"graph:g,kernel=regularised,sigma=1", false},
        {"graph:g,kernel=diffusion,time=1", false},
        {"graph:g,laplacian=plain", false},
        {"graph:g,laplacian=normalised", false},
        {"graph:g,scale=none", false},
        {"graph:g,scale=unit", false},
        {"graph:g,radius=3", false},
        {"graph:g,map=eigen:2", false},
        {"graph:g,map=eigen:2,seed=1", false},
        {"none", false},
        {"classes:c", false},
        {"kernel:k", false},
        {"matrix:m", false},
        {"features:f,kernel=gaussian,width=1", false},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        weft__spec spec = parse(list[k].text);
        if (spec.kernel_is_open != list[k].open)
            fail_msg("%s", list[k].text);
        release(&spec);
    }
}

static void a_failed_allocation(void **state)
{
    test_alloc alloc;
    weft__spec spec = {0};
    weft_memory memory = test_alloc_begin(&alloc, 0);
    assert_int_equal(weft__spec_parse("graph:g", &memory, &spec, NULL), WEFT_MEMORY);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

/* Behind a backslash nothing stands between two. */
static void several_in_one_text(void **state)
{
    static const char *const text = "classes:a\\,+x,epsilon=1,+graph:b\\";
    static const char *const expected[] = {"classes:a\\,+x,epsilon=1", "graph:b\\"};
    const weft_memory memory = weft__memory_or_default(NULL);
    assert_int_equal(weft__spec_count(text), 2);
    assert_int_equal(weft__spec_count("none"), 1);
    for (int64_t k = 0; k < 2; k++) {
        char *part = NULL;
        assert_int_equal(weft__spec_part(text, k, &memory, &part, NULL), WEFT_OK);
        assert_string_equal(part, expected[k]);
        weft__delete(&memory, part);
    }
    test_alloc alloc;
    const weft_memory refusing = test_alloc_begin(&alloc, 0);
    char *part = NULL;
    assert_int_equal(weft__spec_part(text, 1, &refusing, &part, NULL), WEFT_MEMORY);
    assert_null(part);
}

/* ---- Orders ---- */

static void assert_ordered(const char *given, const char *stored, const char *expected)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    char *made = NULL;
    for (int64_t k = 0;; k++) {
        test_alloc_arm(&alloc, k);
        weft_status status = stored == NULL ? weft__spec_sort(given, &memory, &made, NULL)
                                            : weft__spec_arrange(given, stored, &memory, &made, NULL);
        if (status == WEFT_OK)
            break;
        assert_int_equal(status, WEFT_MEMORY);
        made = NULL;
    }
    test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
    assert_string_equal(made, expected);
    weft__delete(&memory, made);
}

static void several_have_an_order(void **state)
{
    assert_ordered("none", NULL, "none");
    assert_ordered("graph:g,+table:t", NULL, "table:t,+graph:g");
    assert_ordered("kernel:k,+graph:g,+classes:c,+features:f,+table:u,+table:t", NULL,
                   "table:t,+table:u,+features:f,+classes:c,+graph:g,+kernel:k");
    assert_ordered("graph:d/g,+table:d/t", "table:t,+graph:g", "table:d/t,+graph:d/g");
    assert_ordered("table:d/u,+table:d/t", "table:t,+table:u", "table:d/t,+table:d/u");
    assert_ordered("table:d/x,+table:d/t", "table:t,+table:u", "table:d/t,+table:d/x");
    assert_ordered("table:x,+table:y", "table:t,+graph:g", "table:x,+table:y");
    assert_ordered("table:t", "table:t,+graph:g", "table:t");
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_defaults),    cmocka_unit_test(options_of_every_kind),
        cmocka_unit_test(escapes_in_file_names), cmocka_unit_test(refusals),
        cmocka_unit_test(what_closes_a_kernel),  cmocka_unit_test(a_failed_allocation),
        cmocka_unit_test(several_in_one_text),   cmocka_unit_test(several_have_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
