/* Pipelines as JSON: those that parse, with their canonical text, and those that do not. For the types of
 * language_types.h. */
#ifndef JSON_CASES_H
#define JSON_CASES_H

#include "language_cases.h"

#define STAGES(inside) "{\"stages\":[" inside "]}"

static const struct good_case good_json[] = {
    {"{\"gpufilter\":1,\"stages\":[{\"op\":\"blur\",\"sigma\":2},{\"op\":\"hist\"}]}", "blur:sigma=2,hist"},
    {" { \"stages\" : [ { \"border\" : \"wrap\" ,\n \"op\" : \"blur\" } ] , \"gpufilter\" : 1 } \n",
     "blur:border=wrap"},
    {STAGES("{\"op\":\"gaussian\",\"radius\":\"auto\"}"), "blur"},
    {STAGES("{\"op\":\"every\",\"yes\":false,\"choice\":\"3x3\",\"rect\":\"1x2+3+4\",\"planes\":\"rgb\"}"),
     "every:yes=off:choice=3x3:planes=rgb:rect=1x2+3+4"},
    {STAGES("{\"op\":\"every\",\"number\":-1.5e-3,\"intensity\":\"51u8\"}"),
     "every:number=-0.0015:intensity=0.2"},
    {STAGES("{\"op\":\"gray\",\"name\":\"a\\\"\\\\\\/\\n\\t\\u00e9\\uD83d\\ude00 z\"}"),
     "gray:name=\"a\\\"\\\\/\\n\t\xc3\xa9\xf0\x9f\x98\x80 z\""},
    {STAGES("{\"op\":\"every\",\"list\":\"[1 2;3 4]\",\"shaped\":\"@k.npy\",\"picture\":\"@a b\"}"),
     "every:list=[1 2; 3 4]:shaped=@k.npy:picture=@'a b'"},
    {STAGES("{\"op\":\"every\",\"picture\":\"in\"}"), "every:picture=in"},
    {STAGES("{\"op\":\"every\",\"list\":0.8,\"shaped\":\"-2\"}"), "every:list=[0.8]:shaped=[-2]"},
};

static const struct bad_case bad_json[] = {
    {"{", "'{' begins JSON, and in it '\"' is expected at the end", GF_ERROR_PARSE, 1, 0},
    {"{}", "'{' begins JSON, and in it '\"' is expected here", GF_ERROR_PARSE, 1, 1},
    {"{\"gpufilter\":1}", "'{' begins JSON, and in it \"stages\" is expected at the end", GF_ERROR_PARSE, 15,
     0},
    {"{\"gpufilter\":2,\"stages\":[]}",
     "'{' begins JSON, and in it 1, the version of this form, is expected here", GF_ERROR_PARSE, 13, 1},
    {"{\"stage\":[]}", "'{' begins JSON, and in it \"gpufilter\" or, once, \"stages\" is expected here",
     GF_ERROR_PARSE, 1, 1},
    {STAGES(""), "the pipeline has no stages", GF_ERROR_PARSE, -1, 0},
    {STAGES("{\"op\":\"gray\"}") "x", "'{' begins JSON, and in it the end is expected here", GF_ERROR_PARSE,
     26, 1},
    {STAGES("{\"op\":\"gray\"}{"), "stage 1: '{' begins JSON, and in it ',' or ']' is expected here",
     GF_ERROR_PARSE, 24, 1},
    {STAGES("{\"name\":\"x\"}"),
     "stage 1: '{' begins JSON, and in it \"op\": the name of the stage is expected here", GF_ERROR_PARSE, 23,
     1},
    {STAGES("{\"sigma\":1,\"op\":\"blru\"}"), "stage 1 'blru': unknown stage; did you mean 'blur'?",
     GF_ERROR_PARSE, 28, 4},
    {STAGES("{\"op\":\"gray\"},{\"radiu\":1,\"op\":\"blur\"}"),
     "stage 2 'blur': no parameter 'radiu'; did you mean 'radius'?", GF_ERROR_PARSE, 27, 5},
    {STAGES("{\"op\":\"blur\",\"sigma\":90000}"), "stage 1 'blur': sigma is 90000, must be from 0.05 to 1000",
     GF_ERROR_ARGUMENT, 32, 5},
    {STAGES("{\"op\":\"blur\",\"sigma\":1,\"sigma\":1}"), "stage 1 'blur': sigma is given twice",
     GF_ERROR_PARSE, 35, 5},
    {STAGES("{\"op\":\"gray\",\"op\":\"blur\"}"), "stage 1 'gray': op is given twice", GF_ERROR_PARSE, 25, 2},
    {STAGES("{\"op\":\"gray\",\"name\":[1]}"),
     "stage 1: '{' begins JSON, and in it a text, a number, true or false is expected here", GF_ERROR_PARSE,
     31, 1},
    {STAGES("{\"op\":\"gray\",\"name\":null}"),
     "stage 1: '{' begins JSON, and in it a text, a number, true or false is expected here", GF_ERROR_PARSE,
     31, 1},
    {STAGES("{\"op\":\"gray\",\"name\":\"a\\u0007\"}"),
     "stage 1: '{' begins JSON, and in it a text without control characters is expected here", GF_ERROR_PARSE,
     33, 1},
    {STAGES("{\"op\":\"gray\",\"name\":\"\\ud800x\"}"),
     "stage 1: '{' begins JSON, and in it an escape of JSON is expected here", GF_ERROR_PARSE, 32, 1},
    {STAGES("{\"op\":\"gray\",\"name\":\"\\q\"}"),
     "stage 1: '{' begins JSON, and in it an escape of JSON is expected here", GF_ERROR_PARSE, 32, 1},
    {"{\"stages\":[{\"op\":\"gray", "stage 1: '{' begins JSON, and in it '\"' is expected at the end",
     GF_ERROR_PARSE, 22, 0},
};
#undef STAGES

#endif
