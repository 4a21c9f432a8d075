/* What a job keeps of what IN says beside its samples, and what it says of the rest. */
#include "job/job.h"

#include "base/message.h"

#include <string.h>

/* Tells whether there is a segment of that marker which begins so. */
static bool has_segment(const gf_metadata *metadata, uint8_t marker, const char *mark)
{
    const uint8_t *bytes = metadata->segments;
    const size_t size = strlen(mark);
    for (size_t at = 0, length; at + 4 <= metadata->segments_size; at += 2 + length) {
        length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (bytes[at + 1] == marker && length >= 2 + size && at + 2 + length <= metadata->segments_size &&
            memcmp(bytes + at + 4, mark, size) == 0) {
            return true;
        }
    }
    return false;
}

void job_note_no_room(struct job *job, const gf_metadata *metadata)
{
    if (job->options.strip) {
        return;
    }
    /* IPTC is in an APP13. Of XMP that is too long for a segment, others keep what is in the first. */
    const bool keeps_xmp = job->format->metadata >= 2, keeps_iptc = job->format->metadata == 2;
    if (keeps_xmp && !job->noted_rest && strcmp(job->format->name, "jpeg") != 0 &&
        has_segment(metadata, 0xe1, "http://ns.adobe.com/xmp/extension/")) {
        job->noted_rest = true;
        cli_note("note: %s: %s has no room for more than the first part of the XMP of %s; jpeg has",
                 job_out_name(job), job->format->name, job_in_name(job));
    }
    if (metadata->segments && !job->noted_xmp &&
        (!keeps_xmp || (!keeps_iptc && has_segment(metadata, 0xed, "")))) {
        job->noted_xmp = true;
        cli_note("note: %s: %s has no room for the %sIPTC of %s; jpeg has", job_out_name(job),
                 job->format->name, keeps_xmp ? "" : "XMP or ", job_in_name(job));
    }
    if (job->noted_exif || job->format->metadata || (!metadata->icc && !metadata->exif)) {
        return;
    }
    job->noted_exif = true;
    cli_note("note: %s: %s has no room for %s of %s", job_out_name(job), job->format->name,
             !metadata->exif  ? "the ICC profile"
             : !metadata->icc ? "the EXIF"
                              : "ICC profile and EXIF",
             job_in_name(job));
}

gf_metadata job_kept_metadata(struct job *job)
{
    if (job->signal) {
        return (gf_metadata)GF_METADATA_INIT;
    }
    gf_metadata metadata = *gf_reader_metadata(job->known ? job->known : job->reader);
    bool was_colour = job->info.shape.channels >= 3, is_colour = gf_plan_output(job->plan).channels >= 3;
    job_note_no_room(job, &metadata);
    if (job->options.strip) {
        metadata.exif = NULL;
        metadata.exif_size = 0;
        metadata.fields &= ~(uint32_t)GF_META_EXIF_LAST;
        metadata.segments = NULL;
        metadata.segments_size = 0;
    }
    if (!job->format->metadata) { /* but how frames follow one another, and how wide a pixel is */
        gf_metadata bare = GF_METADATA_INIT;
        bare.fields = metadata.fields & (uint32_t)(GF_META_VIDEO | GF_META_DENSITY);
        memcpy(bare.frame_rate, metadata.frame_rate, sizeof bare.frame_rate);
        memcpy(bare.density, metadata.density, sizeof bare.density);
        bare.density_unit = metadata.density_unit;
        bare.chroma = metadata.chroma;
        bare.video_bits = metadata.video_bits;
        bare.full_range = metadata.full_range;
        return bare;
    }
    if (metadata.icc && was_colour != is_colour) {
        if (!job->noted_icc) {
            cli_note("note: %s: the ICC profile of %s is for %s and is left out", job_out_name(job),
                     job_in_name(job), was_colour ? "colour" : "gray");
        }
        job->noted_icc = true;
        metadata.icc = NULL;
        metadata.icc_size = 0;
        metadata.icc_name[0] = '\0';
    }
    if (job->format->most_exif && metadata.exif_size > job->format->most_exif) {
        if (!job->noted_exif) {
            cli_note("note: %s: %s holds at most %zu bytes of EXIF; the %zu of %s are left out",
                     job_out_name(job), job->format->name, job->format->most_exif, metadata.exif_size,
                     job_in_name(job));
        }
        job->noted_exif = true;
        metadata.exif = NULL;
        metadata.exif_size = 0;
    }
    return metadata;
}
