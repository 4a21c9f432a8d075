#include "gpufilter/io.h"

#include <stdio.h>
#include <zlib.h>
#if GF_HAVE_ISAL
#include <isa-l.h>
#else
#define ISAL_VERSION 0
#endif
#if GF_HAVE_EXR
#include <OpenEXR/openexr.h>
#endif
#if GF_HAVE_JPEG
#include <jerror.h>
#include <jpeglib.h>
#endif
#if GF_HAVE_TIFF
#include <tiffio.h>
#else
#define TIFFLIB_VERSION 0
#endif
#if GF_HAVE_WEBP
#include <webp/encode.h>
#else
#define WebPGetEncoderVersion() 0
#endif

void gf_io_encoders(char *text, size_t size)
{
    const char *const *jpeg = (const char *const[2]){"none", ""}; /* the years of its copyright, its name */
#if GF_HAVE_JPEG
    struct jpeg_error_mgr manager;
    jpeg = jpeg_std_error(&manager)->jpeg_message_table + JMSG_COPYRIGHT;
#endif
    int exr[3] = {0, 0, 0};
#if GF_HAVE_EXR
    const char *more;
    exr_get_library_version(&exr[0], &exr[1], &exr[2], &more);
#endif
    snprintf(text, text ? size : 0,
             "zlib %s; ISA-L %x; libtiff %d; libwebp %x; OpenEXR %d.%d.%d; libjpeg %s %s", zlibVersion(),
             (unsigned)ISAL_VERSION, (int)TIFFLIB_VERSION, (unsigned)WebPGetEncoderVersion(), exr[0], exr[1],
             exr[2], jpeg[0], jpeg[1]);
}
