/* The formulas of expr: what they mean, and what is said of those that mean nothing. */
#include "check.h"
#include "param/formula_parse.h"
#include "pixel/ir/program.h"

#include <math.h>
#include <string.h>

/* r, g, b, a of a pixel; v is r. */
static const float pixel[4] = {0.25F, 0.5F, 0.75F, 1.0F};

static float value_of(const char *text)
{
    struct gf_formula f;
    char why[160] = "";
    size_t at;
    const struct gf_formula_of colour = {4, 3, 640, 480};
    const bool good = gf_formula_parse(text, strlen(text), &colour, &f, &at, why);
    CHECK_MSG(good, "%s: byte %zu: %s", text, at, why);
    const struct gf_block_view block = {f.steps, 2 * GF_FORMULA_STEPS + 2, GF_F32};
    return gf_formula_run(&block, 0, pixel, 0);
}

static void signs_bind_as_in_arithmetic(void)
{
    static const struct {
        const char *text;
        double value;
    } texts[] = {
        {"v", 0.25},
        {"1+2*3", 7},
        {"(1+2)*3", 9},
        {"2^3^2", 512},
        {"-2^2", -4},
        {"2^-1", 0.5},
        {"8/4/2", 1},
        {"8-4-2", 2},
        {"--3", 3},
        {"1.5e1 + .5", 15.5},
        {"r+g*b", 0.625},
        {"a - v", 0.75},
        {"c0+10*c1+100*c2+1000*c3", 1080.25},
        {"c00", 0.25},
        {"1<2", 1},
        {"2<=1", 0},
        {"3>=3", 1},
        {"1==2", 0},
        {"1!=2", 1},
        {"2>1", 1},
        {"1+1 > 1*1", 1},
        {"(1<2)+(2<3)", 2},
        {"min(3, 1, 2)", 1},
        {"max(1,4,2,3)", 4},
        {"abs(-v)", 0.25},
        {"sqrt(v)", 0.5},
        {"pow(2, 10)", 1024},
        {"exp(0)", 1},
        {"log(1)", 0},
        {"clamp(5,0,1)", 1},
        {"clamp(-5,0,1)", 0},
        {"clamp(g,0,1)", 0.5},
        {"if(v<g, 10, 20)", 10},
        {"if(0, 10, 20)", 20},
        {"if(v-v,1,if(g-g,2,3))", 3},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const float got = value_of(texts[i].text);
        CHECK_MSG(fabs((double)got - texts[i].value) <= 1e-6 * fabs(texts[i].value), "%s is %g",
                  texts[i].text, (double)got);
    }
}

static void nan_is_kept_from_by_comparisons(void)
{
    CHECK_EQ_INT((int)value_of("min(3, sqrt(-1))"), 3);
    CHECK_EQ_INT((int)value_of("max(3, sqrt(-1))"), 3);
    CHECK_EQ_INT((int)value_of("if(sqrt(-1), 1, 2)"), 1);
    CHECK_EQ_INT((int)value_of("sqrt(-1) == sqrt(-1)"), 0);
}

static void faults_have_a_place(void)
{
    static const struct {
        const char *text;
        int32_t channels;
        size_t at;
        const char *why;
    } texts[] = {
        {"", 3, 0, "a number, a name or '('"},
        {"v+", 3, 2, "a number, a name or '('"},
        {"(v", 3, 2, "')' is missing"},
        {"v v", 3, 2, "'v' must not follow"},
        {"1 < 2 < 3", 3, 6, "'<' must not follow"},
        {"hue(v)", 3, 0, "no 'hue'"},
        {"min(v)", 3, 6, "min takes 2 values or more"},
        {"sqrt(v, 1)", 3, 6, "sqrt takes 1 value, "},
        {"if(v, 1)", 3, 8, "if takes 3 values"},
        {"abs v", 3, 4, "'(' must follow abs"},
        {"a", 3, 0, "which the picture does not have"},
        {"g", 1, 0, "this one is gray: use v"},
        {"v+c3", 3, 2, "'c3' is no channel: there are c0 to c2"},
        {"c99999999999", 3, 0, "is no channel"},
        {"c", 3, 0, "'c' is no channel"},
        {"1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+1))))))))))))", 3, 0, "values wait"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct gf_formula f;
        char why[160] = "";
        size_t at = 0;
        const struct gf_formula_of of = {texts[i].channels, texts[i].channels, 9, 9};
        CHECK(!gf_formula_parse(texts[i].text, strlen(texts[i].text), &of, &f, &at, why));
        CHECK_MSG(strstr(why, texts[i].why) != NULL, "%s: %s", texts[i].text, why);
        CHECK_MSG(texts[i].at == 0 || at == texts[i].at, "%s: at %zu", texts[i].text, at);
    }
}

/* Texts as long and as deep as can be are refused, or read within the list and the stack. */
static void long_texts_stay_inside(void)
{
    static const char *const parts[] = {"(", "-", "v+", "min(", "2^", "if(1,", "v*v+"};
    char text[256];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct gf_formula f;
        char why[160];
        size_t n = 0, at;
        while (n + strlen(parts[i]) < 250) {
            memcpy(text + n, parts[i], strlen(parts[i]));
            n += strlen(parts[i]);
        }
        text[n++] = 'v';
        if (gf_formula_parse(text, n, &(struct gf_formula_of){3, 3, 9, 9}, &f, &at, why)) {
            CHECK(f.n <= GF_FORMULA_STEPS);
        }
        CHECK(at <= n);
    }
}

static const struct check_case cases[] = {
    {"signs bind as in arithmetic", signs_bind_as_in_arithmetic},
    {"NaN is kept from by comparisons", nan_is_kept_from_by_comparisons},
    {"faults have a place", faults_have_a_place},
    {"long texts stay inside", long_texts_stay_inside},
};
CHECK_MAIN(cases)
