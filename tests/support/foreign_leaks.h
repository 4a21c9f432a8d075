/* For programs that give damaged files to libheif: what its decoders lose is not ours to mend. LeakSanitizer
 * asks for this where there is one, and looks at all other leaks. */
#ifndef FOREIGN_LEAKS_H
#define FOREIGN_LEAKS_H

const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libdav1d\nleak:libde265\nleak:libheif\nleak:libaom\nleak:libstdc++\n";
}

#endif
