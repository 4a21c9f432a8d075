/* libjbig for the wheel: libtiff of many systems needs one, and JBIG-KIT may be given on under the GPL alone,
 * which would then hold for the whole wheel. Nothing is lost: gpufilter reads no TIFF that JBIG has
 * compressed, and writes none. */
#include <stddef.h>

int jbg_dec_in(void *decoder, unsigned char *data, size_t size, size_t *taken)
{
    (void)decoder, (void)data, (void)size, (void)taken;
    return 0x40; /* any number but 0 is a failure, whose text libtiff asks for next */
}

const char *jbg_strerror(int code)
{
    (void)code;
    return "there is no JBIG in this wheel";
}

/* What stands around the decoding has nothing to do, and the encoder is never reached: TIFF is not written
 * so. */
#define NOTHING(name)                                                                                        \
    int name(void)                                                                                           \
    {                                                                                                        \
        return 0;                                                                                            \
    }
NOTHING(jbg_newlen)
NOTHING(jbg_dec_init)
NOTHING(jbg_dec_free)
NOTHING(jbg_dec_getsize)
NOTHING(jbg_enc_init)
NOTHING(jbg_enc_out)
NOTHING(jbg_enc_free)

unsigned char *jbg_dec_getimage(void)
{
    return NULL;
}
