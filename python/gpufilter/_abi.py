"""Made by python/generate.py from the headers of C; do not edit."""
from ctypes import *

GF_ALPHA_NONE = 2
GF_ALPHA_PREMUL = 1
GF_ALPHA_STRAIGHT = 0
GF_COMPARE_CIEDE2000 = 8
GF_COMPARE_MS_SSIM = 4
GF_COMPARE_SSIM = 1
GF_COMPARE_SSIM_UNIFORM = 2
GF_COPY_DOWNLOAD = 1
GF_COPY_UPLOAD = 0
GF_DEVICE_AUTO = -3
GF_DEVICE_CPU = -1
GF_DEVICE_REFERENCE = -2
GF_ERROR_INPUT = -4
GF_ERROR_OUTPUT = -6
GF_F32 = 2
GF_F64 = 5
GF_HISTOGRAM_EXTRA = 3
GF_KEEP_EQ = 1
GF_KEEP_GE = 6
GF_KEEP_GT = 5
GF_KEEP_LE = 4
GF_KEEP_LT = 3
GF_KEEP_NE = 2
GF_KEEP_NONZERO = 0
GF_MARK_ANTIALIAS = 2
GF_MARK_COUNTS = 4
GF_MARK_IGNORED = 3
GF_OK = 0
GF_PARAM_BOOL = 4
GF_PARAM_CHOICE = 5
GF_PARAM_INT = 1
GF_PARAM_INTENSITY = 3
GF_PARAM_LIST = 9
GF_PARAM_NUMBER = 2
GF_PARAM_PICTURE = 10
GF_PARAM_RECT = 6
GF_PARAM_ROI = 11
GF_PARAM_TEXT = 8
GF_PRINT_JSON = 1
GF_PRINT_TEXT = 0
GF_S16 = 6
GF_S32 = 7
GF_S64 = 8
GF_SEARCH_ALL = 1
GF_U16 = 1
GF_U32 = 3
GF_U64 = 4
GF_U8 = 0


class gf_error(Structure):
    pass


class gf_shape(Structure):
    pass


class gf_rect(Structure):
    pass


class gf_image(Structure):
    pass


class gf_queue(Structure):
    pass


class gf_array_options(Structure):
    pass


class gf_param(Structure):
    pass


class gf_example(Structure):
    pass


class gf_stage_field(Structure):
    pass


class gf_stage_table(Structure):
    pass


class gf_stage_settle(Structure):
    pass


class gf_stage_type(Structure):
    pass


class gf_field(Structure):
    pass


class gf_column(Structure):
    pass


class gf_table(Structure):
    pass


class gf_result(Structure):
    pass


class gf_source(Structure):
    pass


class gf_sink(Structure):
    pass


class gf_context_options(Structure):
    pass


class gf_plan_options(Structure):
    pass


class gf_batch_options(Structure):
    pass


class gf_batch_outcome(Structure):
    pass


class gf_batch_item(Structure):
    pass


class gf_compact_options(Structure):
    pass


class gf_compare_row(Structure):
    pass


class gf_compare_options(Structure):
    pass


class gf_compare_place(Structure):
    pass


class gf_compare_channel(Structure):
    pass


class gf_comparison(Structure):
    pass


class gf_histogram_options(Structure):
    pass


class gf_metadata(Structure):
    pass


class gf_picture(Structure):
    pass


class gf_io_limits(Structure):
    pass


class gf_format(Structure):
    pass


class gf_file_info(Structure):
    pass


class gf_write_options(Structure):
    pass


class gf_reduce_options(Structure):
    pass


class gf_scan_options(Structure):
    pass


class gf_matmul_options(Structure):
    pass


class gf_search_options(Structure):
    pass


class gf_signal_shape(Structure):
    pass


class gf_signal_input(Structure):
    pass


class gf_signal_options(Structure):
    pass


class gf_signal_format(Structure):
    pass


class gf_signal_read_options(Structure):
    pass


class gf_signal_info(Structure):
    pass


class gf_signal_write_options(Structure):
    pass


class gf_sort_options(Structure):
    pass


class gf_top_k_options(Structure):
    pass


gf_error._fields_ = [
    ("struct_size", c_uint32),
    ("code", c_int),
    ("stage", c_int32),
    ("text_offset", c_int32),
    ("text_length", c_int32),
    ("message", c_char * 480),
    ("system", c_int32),
]


gf_shape._fields_ = [
    ("width", c_int64),
    ("height", c_int64),
    ("channels", c_int32),
    ("depth", c_int),
]


gf_rect._fields_ = [
    ("x", c_int64),
    ("y", c_int64),
    ("w", c_int64),
    ("h", c_int64),
]


gf_image._fields_ = [
    ("struct_size", c_uint32),
    ("shape", gf_shape),
    ("pitch", c_int64),
    ("data", c_void_p),
    ("device", c_int32),
]


gf_queue._fields_ = [
    ("device", c_int32),
    ("stream", c_void_p),
]


gf_array_options._fields_ = [
    ("algo", c_char_p),
    ("type", c_int),
    ("threads", c_int32),
    ("block", c_int32),
    ("tile", c_int32),
    ("unroll", c_int32),
]


gf_param._fields_ = [
    ("name", c_char_p),
    ("type", c_int),
    ("offset", c_size_t),
    ("text", c_char_p),
    ("min", c_double),
    ("max", c_double),
    ("unit", c_char_p),
    ("auto_word", c_char_p),
    ("choices", c_char_p),
    ("help", c_char_p),
    ("positional", c_int),
]


gf_example._fields_ = [
    ("stages", c_char_p),
    ("help", c_char_p),
]


gf_stage_field._fields_ = [
    ("name", c_char_p),
    ("depth", c_int),
    ("count", c_int32),
    ("unit", c_char_p),
    ("help", c_char_p),
]


gf_stage_table._fields_ = [
    ("name", c_char_p),
    ("help", c_char_p),
    ("columns", POINTER(gf_stage_field)),
]


gf_stage_settle._fields_ = [
    ("parameter", c_char_p),
    ("waits", CFUNCTYPE(c_int32, c_void_p)),
    ("measure", c_void_p),
    ("offset", c_size_t),
    ("store", CFUNCTYPE(None, c_void_p, c_void_p)),
]


gf_stage_type._fields_ = [
    ("struct_size", c_uint32),
    ("name", c_char_p),
    ("aliases", c_char_p),
    ("group", c_char_p),
    ("summary", c_char_p),
    ("formula", c_char_p),
    ("params", POINTER(gf_param)),
    ("params_size", c_size_t),
    ("flags", c_uint32),
    ("lower", CFUNCTYPE(None, c_void_p, c_void_p)),
    ("fields", POINTER(gf_stage_field)),
    ("examples", POINTER(gf_example)),
    ("tables", POINTER(gf_stage_table)),
    ("use", c_char_p),
    ("source", c_char_p),
    ("settle", POINTER(gf_stage_settle)),
    ("fix_size", CFUNCTYPE(c_int32, c_void_p, POINTER(gf_shape), POINTER(gf_shape))),
    ("signal", CFUNCTYPE(None, c_void_p, c_void_p)),
]


gf_field._fields_ = [
    ("name", c_char_p),
    ("depth", c_int),
    ("channels", c_int32),
    ("count", c_int64),
    ("values", c_void_p),
]


gf_column._fields_ = [
    ("name", c_char_p),
    ("parts", c_char_p),
    ("depth", c_int),
    ("count", c_int32),
    ("values", c_void_p),
]


gf_table._fields_ = [
    ("name", c_char_p),
    ("rows", c_int64),
    ("n_columns", c_int32),
    ("columns", POINTER(gf_column)),
]


gf_result._fields_ = [
    ("struct_size", c_uint32),
    ("index", c_int32),
    ("stage", c_char_p),
    ("name", c_char_p),
    ("n_fields", c_int32),
    ("fields", POINTER(gf_field)),
    ("shape", gf_shape),
    ("channels", c_uint32),
    ("tables", POINTER(gf_table)),
    ("n_tables", c_int64),
]


gf_source._fields_ = [
    ("struct_size", c_uint32),
    ("whole", c_int32),
    ("shape", gf_shape),
    ("rows", CFUNCTYPE(c_int, c_void_p, c_void_p, c_int64, c_int64, POINTER(gf_error))),
    ("again", CFUNCTYPE(c_int, c_void_p, POINTER(gf_error))),
    ("user", c_void_p),
    ("held", c_uint64),
]


gf_sink._fields_ = [
    ("struct_size", c_uint32),
    ("whole", c_int32),
    ("rows", CFUNCTYPE(c_int, c_void_p, c_void_p, c_int64, c_int64, POINTER(gf_error))),
    ("user", c_void_p),
]


gf_context_options._fields_ = [
    ("struct_size", c_uint32),
    ("log", CFUNCTYPE(None, c_void_p, c_int, c_char_p)),
    ("allocate", CFUNCTYPE(c_void_p, c_void_p, c_size_t)),
    ("release", CFUNCTYPE(None, c_void_p, c_void_p)),
    ("user", c_void_p),
]


gf_plan_options._fields_ = [
    ("struct_size", c_uint32),
    ("device", c_int32),
    ("alpha", c_int),
    ("no_fuse", c_int32),
    ("threads", c_int32),
    ("band_rows", c_int32),
    ("memory_limit", c_uint64),
    ("runs", c_int64),
    ("busy_ms", c_double),
    ("stream_rows", c_int64),
    ("other_inputs", POINTER(gf_shape)),
    ("n_other_inputs", c_int64),
]


gf_batch_options._fields_ = [
    ("struct_size", c_uint32),
    ("workers", c_int32),
    ("threads", c_int32),
    ("queue", c_int32),
    ("plans", c_int32),
    ("runs", c_int32),
    ("n_devices", c_int32),
    ("devices", c_void_p),
    ("memory_limit", c_uint64),
    ("expected", c_int64),
    ("alpha", c_int),
    ("no_fuse", c_int32),
    ("plan", CFUNCTYPE(c_int, c_void_p, c_int32, POINTER(gf_shape), POINTER(gf_plan_options), c_void_p, POINTER(gf_error))),
    ("prepare", CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(gf_error))),
    ("user", c_void_p),
]


gf_batch_outcome._fields_ = [
    ("struct_size", c_uint32),
    ("status", c_int),
    ("error", POINTER(gf_error)),
    ("device", c_int32),
    ("in", gf_shape),
    ("out", gf_shape),
    ("fell_back", c_int32),
    ("wait_ms", c_double),
    ("read_ms", c_double),
    ("run_ms", c_double),
    ("write_ms", c_double),
]


gf_batch_item._fields_ = [
    ("struct_size", c_uint32),
    ("kind", c_int32),
    ("open", CFUNCTYPE(c_int, c_void_p, POINTER(gf_source), POINTER(gf_error))),
    ("output", CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(gf_sink), POINTER(gf_error))),
    ("done", CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(gf_error))),
    ("end", CFUNCTYPE(None, c_void_p, POINTER(gf_batch_outcome))),
    ("user", c_void_p),
    ("in", POINTER(gf_image)),
    ("out", POINTER(gf_image)),
    ("opened_kind", c_void_p),
    ("check", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, POINTER(gf_image), POINTER(gf_image), POINTER(gf_error))),
    ("again", CFUNCTYPE(None, c_void_p)),
]


gf_compact_options._fields_ = [
    ("struct_size", c_uint32),
    ("keep", c_int),
    ("indices", c_int32),
    ("value", c_void_p),
    ("flags", c_void_p),
    ("array", gf_array_options),
]


gf_compare_row._fields_ = [
    ("y", c_int64),
    ("a", c_void_p),
    ("b", c_void_p),
    ("marks", c_void_p),
]


gf_compare_options._fields_ = [
    ("struct_size", c_uint32),
    ("by", c_int32),
    ("max_diff", c_double),
    ("ignore_alpha", c_int32),
    ("antialias", c_int32),
    ("metrics", c_uint32),
    ("threads", c_int32),
    ("area", gf_rect),
    ("ignore", POINTER(gf_rect)),
    ("ignore_count", c_int64),
    ("row", CFUNCTYPE(c_int, c_void_p, POINTER(gf_compare_row), POINTER(gf_error))),
    ("user", c_void_p),
]


gf_compare_place._fields_ = [
    ("x", c_int64),
    ("y", c_int64),
    ("channel", c_int32),
    ("zero", c_int32),
    ("a", c_double),
    ("b", c_double),
]


gf_compare_channel._fields_ = [
    ("count", c_uint64),
    ("largest", c_double),
]


gf_comparison._fields_ = [
    ("struct_size", c_uint32),
    ("channels", c_int32),
    ("area", gf_rect),
    ("identical", c_int32),
    ("by", c_int32),
    ("samples", c_uint64),
    ("pixels", c_uint64),
    ("ignored", c_uint64),
    ("count", c_uint64),
    ("pixel_count", c_uint64),
    ("antialiased", c_uint64),
    ("nans", c_uint64),
    ("max_diff", c_double),
    ("largest", c_double),
    ("mean", c_double),
    ("psnr", c_double),
    ("ssim", c_double),
    ("ssim_uniform", c_double),
    ("ms_ssim", c_double),
    ("ciede2000_mean", c_double),
    ("ciede2000_largest", c_double),
    ("ciede2000_share", c_double),
    ("box", gf_rect),
    ("first", gf_compare_place),
    ("most", gf_compare_place),
    ("channel", gf_compare_channel * 4),
]


gf_histogram_options._fields_ = [
    ("struct_size", c_uint32),
    ("channels", c_int32),
    ("bins", c_int64),
    ("lo", c_double),
    ("hi", c_double),
    ("edges", c_void_p),
    ("array", gf_array_options),
]


gf_metadata._fields_ = [
    ("struct_size", c_uint32),
    ("fields", c_uint32),
    ("icc", c_void_p),
    ("icc_size", c_size_t),
    ("icc_name", c_char * 80),
    ("exif", c_void_p),
    ("exif_size", c_size_t),
    ("gamma", c_uint32),
    ("chromaticities", c_uint32 * 8),
    ("density", c_uint32 * 2),
    ("density_unit", c_uint8),
    ("srgb_intent", c_uint8),
    ("cicp", c_uint8 * 4),
    ("segments", c_void_p),
    ("segments_size", c_size_t),
    ("frame_rate", c_uint32 * 2),
    ("chroma", c_uint8),
    ("video_bits", c_uint8),
    ("full_range", c_uint8),
]


gf_picture._fields_ = [
    ("struct_size", c_uint32),
    ("image", gf_image),
    ("metadata", gf_metadata),
    ("note", c_char * 256),
    ("alpha", c_int),
]


gf_io_limits._fields_ = [
    ("struct_size", c_uint32),
    ("result_depths", c_uint32),
    ("max_width", c_int64),
    ("max_height", c_int64),
    ("max_pixels", c_int64),
    ("max_input_bytes", c_uint64),
    ("max_metadata_bytes", c_uint64),
    ("max_memory", c_uint64),
    ("page", c_int64),
]


gf_format._fields_ = [
    ("name", c_char_p),
    ("suffixes", c_char_p),
    ("summary", c_char_p),
    ("reads", c_int32),
    ("writes", c_int32),
    ("depths", c_uint32),
    ("channels", c_uint32),
    ("whole", c_int32),
    ("metadata", c_int32),
    ("most_exif", c_size_t),
    ("frames", c_int32),
]


gf_file_info._fields_ = [
    ("struct_size", c_uint32),
    ("stored_bits", c_uint32),
    ("format", POINTER(gf_format)),
    ("shape", gf_shape),
    ("file_bytes", c_uint64),
    ("icc_size", c_size_t),
    ("exif_size", c_size_t),
    ("whole", c_int32),
    ("orientation", c_int32),
    ("pages", c_int64),
    ("compression", c_char_p),
    ("alpha", c_int),
]


gf_write_options._fields_ = [
    ("struct_size", c_uint32),
    ("png_level", c_int32),
    ("jpeg_quality", c_int32),
    ("no_clobber", c_int32),
    ("threads", c_int32),
    ("format", c_char_p),
    ("on_temporary", CFUNCTYPE(None, c_void_p, c_char_p)),
    ("on_stale", CFUNCTYPE(None, c_void_p, c_char_p)),
    ("user", c_void_p),
    ("npy_matrix", c_int32),
    ("in_place", c_int32),
    ("webp_quality", c_int32),
    ("jpeg_progressive", c_int32),
    ("on_kept", CFUNCTYPE(None, c_void_p, c_char_p, c_int)),
    ("png_palette", c_int32),
    ("follows", c_int32),
]


gf_reduce_options._fields_ = [
    ("struct_size", c_uint32),
    ("op", c_int),
    ("array", gf_array_options),
]


gf_scan_options._fields_ = [
    ("struct_size", c_uint32),
    ("op", c_int),
    ("inclusive", c_int32),
    ("out", c_int),
    ("array", gf_array_options),
]


gf_matmul_options._fields_ = [
    ("struct_size", c_uint32),
    ("transpose_a", c_int32),
    ("transpose_b", c_int32),
    ("signed_a", c_int32),
    ("signed_b", c_int32),
    ("lda", c_int64),
    ("ldb", c_int64),
    ("ldc", c_int64),
    ("array", gf_array_options),
    ("plain", c_void_p),
    ("accuracy", c_int32),
    ("slices", c_int32),
    ("batch", c_int64),
    ("stride_a", c_int64),
    ("stride_b", c_int64),
    ("stride_c", c_int64),
]


gf_search_options._fields_ = [
    ("struct_size", c_uint32),
    ("mode", c_int),
    ("value", c_void_p),
    ("to", c_void_p),
    ("array", gf_array_options),
]


gf_signal_shape._fields_ = [
    ("frames", c_int64),
    ("channels", c_int32),
    ("rate", c_double),
]


gf_signal_input._fields_ = [
    ("shape", gf_signal_shape),
    ("data", c_void_p),
    ("pitch", c_int64),
]


gf_signal_options._fields_ = [
    ("struct_size", c_uint32),
    ("device", c_int32),
    ("threads", c_int32),
    ("other_inputs", POINTER(gf_signal_input)),
    ("n_other_inputs", c_int32),
    ("in", POINTER(gf_signal_input)),
    ("first", c_int32),
    ("may_repeat", c_int32),
    ("reason", c_char_p),
]


gf_signal_format._fields_ = [
    ("name", c_char_p),
    ("suffixes", c_char_p),
    ("summary", c_char_p),
    ("samples", c_uint32),
    ("has_rate", c_int32),
]


gf_signal_read_options._fields_ = [
    ("struct_size", c_uint32),
    ("matrix", c_int),
    ("rate", c_double),
    ("format", c_char_p),
    ("columns", c_char_p),
    ("limits", POINTER(gf_io_limits)),
]


gf_signal_info._fields_ = [
    ("struct_size", c_uint32),
    ("channels", c_int32),
    ("frames", c_int64),
    ("rate", c_double),
    ("format", POINTER(gf_signal_format)),
    ("names", c_void_p),
    ("sample", c_int),
    ("bits", c_int32),
    ("speakers", c_uint32),
    ("repeats", c_int32),
    ("file_bytes", c_uint64),
]


gf_signal_write_options._fields_ = [
    ("struct_size", c_uint32),
    ("sample", c_int),
    ("format", c_char_p),
    ("names", c_void_p),
    ("frames", c_int64),
    ("bits", c_int32),
    ("speakers", c_uint32),
    ("file", POINTER(gf_write_options)),
]


gf_sort_options._fields_ = [
    ("struct_size", c_uint32),
    ("descending", c_int32),
    ("value_size", c_int32),
    ("array", gf_array_options),
    ("first_bit", c_int32),
    ("bits", c_int32),
]


gf_top_k_options._fields_ = [
    ("struct_size", c_uint32),
    ("least", c_int32),
    ("array", gf_array_options),
]

# What the INIT macros say.
INIT = {
    gf_error: (sizeof(gf_error), 0, -1, -1, 0, b"", 0,),
    gf_image: (sizeof(gf_image), (0, 0, 0, 0,), 0, None, -1,),
    gf_context_options: (sizeof(gf_context_options), None, None, None, None,),
    gf_plan_options: (sizeof(gf_plan_options), -3, 1, 0, 0, 0, 0, 0, 0, 0, None, 0,),
    gf_batch_options: (sizeof(gf_batch_options), 0, 0, 0, 0, 0, 0, None, 0, 0, 1, 0, None, None, None,),
    gf_batch_item: (sizeof(gf_batch_item), 0, None, None, None, None, None, None, None, None, None, None,),
    gf_compact_options: (sizeof(gf_compact_options), 0, 0, None, None, (None, 0, 0, 0, 0, 0,),),
    gf_compare_options: (sizeof(gf_compare_options), 0, 0, 0, 0, 0, 0, (0, 0, 0, 0,), None, 0, None, None,),
    gf_comparison: (sizeof(gf_comparison), 0, (0, 0, 0, 0,), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (0, 0, 0, 0,), (0, 0, 0, 0, 0, 0,), (0, 0, 0, 0, 0, 0,), ((0, 0,), (0, 0,), (0, 0,), (0, 0,),),),
    gf_histogram_options: (sizeof(gf_histogram_options), 1, 256, 0, 0, None, (None, 0, 0, 0, 0, 0,),),
    gf_metadata: (sizeof(gf_metadata), 0, None, 0, b"", None, 0, 0, (0, 0, 0, 0, 0, 0, 0, 0,), (0, 0,), 0, 0, (0, 0, 0, 0,), None, 0, (0, 0,), 0, 0, 0,),
    gf_io_limits: (sizeof(gf_io_limits), 0, 1000000, 1000000, 1 << 28, 1 << 32, 1 << 22, 1 << 28, 0,),
    gf_file_info: (sizeof(gf_file_info), 0, None, (0, 0, 0, 0,), 0, 0, 0, 0, 0, 0, None, 1,),
    gf_write_options: (sizeof(gf_write_options), -1, 90, 0, 0, None, None, None, None, 0, 0, 0, 0, None, 0, 0,),
    gf_reduce_options: (sizeof(gf_reduce_options), 0, (None, 2, 0, 0, 0, 0,),),
    gf_scan_options: (sizeof(gf_scan_options), 0, 0, 7, (None, 7, 0, 0, 0, 0,),),
    gf_matmul_options: (sizeof(gf_matmul_options), 0, 0, 0, 0, 0, 0, 0, (None, 2, 0, 0, 0, 0,), None, 0, 0, 0, 0, 0, 0,),
    gf_search_options: (sizeof(gf_search_options), 0, None, None, (None, 7, 0, 0, 0, 0,),),
    gf_signal_options: (sizeof(gf_signal_options), -3, 0, None, 0, None, 0, 0, None,),
    gf_signal_read_options: (sizeof(gf_signal_read_options), 0, 0, None, None, None,),
    gf_signal_write_options: (sizeof(gf_signal_write_options), 0, None, None, -1, 0, 0, None,),
    gf_sort_options: (sizeof(gf_sort_options), 0, 0, (None, 3, 0, 0, 0, 0,), 0, 0,),
    gf_top_k_options: (sizeof(gf_top_k_options), 0, (None, 2, 0, 0, 0, 0,),),
}

# Types of the result and of the arguments.
PROTOTYPES = {
    "gf_batch_add": (c_int, [c_void_p, POINTER(gf_batch_item), POINTER(gf_error)]),
    "gf_batch_create": (c_int, [c_void_p, c_void_p, POINTER(gf_batch_options), c_void_p, POINTER(gf_error)]),
    "gf_batch_destroy": (None, [c_void_p]),
    "gf_compact": (c_int, [gf_queue, POINTER(gf_compact_options), c_void_p, c_int64, c_void_p, c_int64, c_void_p, c_void_p, c_size_t, POINTER(gf_error)]),
    "gf_compact_result": (c_int, [POINTER(gf_compact_options), c_int64]),
    "gf_compact_scratch": (c_int, [c_int32, POINTER(gf_compact_options), c_int64, c_void_p, POINTER(gf_error)]),
    "gf_compare": (c_int, [POINTER(gf_image), POINTER(gf_image), POINTER(gf_image), POINTER(gf_compare_options), POINTER(gf_comparison), POINTER(gf_error)]),
    "gf_compare_hash": (c_int, [POINTER(gf_image), c_void_p, POINTER(gf_error)]),
    "gf_context_create": (c_int, [POINTER(gf_context_options), c_void_p, POINTER(gf_error)]),
    "gf_context_destroy": (None, [c_void_p]),
    "gf_cuda_missing": (c_char_p, []),
    "gf_exec_create": (c_int, [c_void_p, c_void_p, POINTER(gf_error)]),
    "gf_exec_destroy": (None, [c_void_p]),
    "gf_exec_enqueue": (c_int, [c_void_p, POINTER(gf_image), POINTER(gf_image), c_void_p, POINTER(gf_error)]),
    "gf_exec_finish": (c_int, [c_void_p, POINTER(gf_error)]),
    "gf_exec_result": (POINTER(gf_result), [c_void_p, c_int32]),
    "gf_exec_result_count": (c_int32, [c_void_p]),
    "gf_exec_run": (c_int, [c_void_p, POINTER(gf_image), POINTER(gf_image), POINTER(gf_error)]),
    "gf_exec_set_input": (c_int, [c_void_p, c_int32, POINTER(gf_image), POINTER(gf_error)]),
    "gf_exec_set_progress": (None, [c_void_p, CFUNCTYPE(c_int, c_void_p, c_int32, c_int32), c_void_p]),
    "gf_exec_stream": (c_int, [c_void_p, POINTER(gf_source), POINTER(gf_sink), POINTER(gf_error)]),
    "gf_histogram": (c_int, [gf_queue, POINTER(gf_histogram_options), c_void_p, c_int64, c_void_p, c_void_p, c_size_t, POINTER(gf_error)]),
    "gf_histogram_scratch": (c_int, [c_int32, POINTER(gf_histogram_options), c_int64, c_void_p, POINTER(gf_error)]),
    "gf_io_read": (c_int, [c_char_p, POINTER(gf_io_limits), c_void_p, POINTER(gf_error)]),
    "gf_io_write": (c_int, [c_char_p, POINTER(gf_image), POINTER(gf_metadata), POINTER(gf_write_options), POINTER(gf_error)]),
    "gf_matmul": (c_int, [gf_queue, POINTER(gf_matmul_options), c_void_p, c_void_p, c_int64, c_int64, c_int64, c_void_p, c_void_p, c_size_t, POINTER(gf_error)]),
    "gf_matmul_result": (c_int, [c_int]),
    "gf_matmul_scratch": (c_int, [c_int32, POINTER(gf_matmul_options), c_int64, c_int64, c_int64, c_void_p, POINTER(gf_error)]),
    "gf_memory_allocate": (c_int, [c_int32, c_size_t, c_void_p, POINTER(gf_error)]),
    "gf_memory_copy": (c_int, [gf_queue, c_int, c_void_p, c_void_p, c_size_t, POINTER(gf_error)]),
    "gf_memory_release": (None, [c_int32, c_void_p]),
    "gf_picture_destroy": (None, [c_void_p]),
    "gf_pipeline_destroy": (None, [c_void_p]),
    "gf_pipeline_file_count": (c_int32, [c_void_p]),
    "gf_pipeline_file_name": (c_char_p, [c_void_p, c_int32]),
    "gf_pipeline_input_count": (c_int32, [c_void_p]),
    "gf_pipeline_input_name": (c_char_p, [c_void_p, c_int32]),
    "gf_pipeline_parse": (c_int, [c_char_p, c_void_p, c_int32, c_void_p, POINTER(gf_error)]),
    "gf_pipeline_print": (c_int, [c_void_p, c_int, c_char_p, c_size_t, c_void_p, POINTER(gf_error)]),
    "gf_pipeline_set_file": (c_int, [c_void_p, c_int32, c_int32, c_int32, c_void_p, POINTER(gf_error)]),
    "gf_pipeline_settle": (c_int, [c_void_p, c_void_p, POINTER(gf_source), POINTER(gf_plan_options), POINTER(gf_error)]),
    "gf_pipeline_unsettled": (c_int32, [c_void_p]),
    "gf_plan_create": (c_int, [c_void_p, c_void_p, POINTER(gf_shape), POINTER(gf_plan_options), c_void_p, POINTER(gf_error)]),
    "gf_plan_destroy": (None, [c_void_p]),
    "gf_plan_device": (c_int32, [c_void_p]),
    "gf_plan_explain": (c_int, [c_void_p, c_int, c_char_p, c_size_t, c_void_p, POINTER(gf_error)]),
    "gf_plan_measures_only": (c_int, [c_void_p]),
    "gf_plan_memory": (c_uint64, [c_void_p]),
    "gf_plan_output": (gf_shape, [c_void_p]),
    "gf_plan_result_count": (c_int32, [c_void_p]),
    "gf_queue_wait": (c_int, [gf_queue, POINTER(gf_error)]),
    "gf_reader_close": (None, [c_void_p]),
    "gf_reader_finish": (c_int, [c_void_p, POINTER(gf_error)]),
    "gf_reader_info": (POINTER(gf_file_info), [c_void_p]),
    "gf_reader_metadata": (POINTER(gf_metadata), [c_void_p]),
    "gf_reader_open": (c_int, [c_char_p, POINTER(gf_io_limits), c_void_p, POINTER(gf_error)]),
    "gf_reader_source": (gf_source, [c_void_p]),
    "gf_reduce": (c_int, [gf_queue, POINTER(gf_reduce_options), c_void_p, c_int64, c_void_p, c_void_p, c_size_t, POINTER(gf_error)]),
    "gf_reduce_result": (c_int, [c_int, c_int]),
    "gf_reduce_scratch": (c_int, [c_int32, POINTER(gf_reduce_options), c_int64, c_void_p, POINTER(gf_error)]),
    "gf_scan": (c_int, [gf_queue, POINTER(gf_scan_options), c_void_p, c_int64, c_void_p, c_void_p, c_size_t, POINTER(gf_error)]),
    "gf_scan_scratch": (c_int, [c_int32, POINTER(gf_scan_options), c_int64, c_void_p, POINTER(gf_error)]),
    "gf_search": (c_int, [gf_queue, POINTER(gf_search_options), c_void_p, c_int64, c_void_p, c_void_p, c_int64, c_void_p, c_size_t, POINTER(gf_error)]),
    "gf_search_scratch": (c_int, [c_int32, POINTER(gf_search_options), c_int64, c_void_p, POINTER(gf_error)]),
    "gf_signal_exec_create": (c_int, [c_void_p, c_void_p, POINTER(gf_error)]),
    "gf_signal_exec_destroy": (None, [c_void_p]),
    "gf_signal_exec_end": (c_int, [c_void_p, c_void_p, c_int64, c_void_p, POINTER(gf_error)]),
    "gf_signal_exec_feed": (c_int, [c_void_p, c_void_p, c_int64, c_int64, c_void_p, c_int64, c_void_p, POINTER(gf_error)]),
    "gf_signal_exec_left": (c_int64, [c_void_p]),
    "gf_signal_exec_ready": (c_int64, [c_void_p, c_int64]),
    "gf_signal_exec_result": (POINTER(gf_result), [c_void_p, c_int32]),
    "gf_signal_exec_result_count": (c_int32, [c_void_p]),
    "gf_signal_io_format_for": (c_int, [c_char_p, c_char_p, c_void_p, POINTER(gf_error)]),
    "gf_signal_plan_create": (c_int, [c_void_p, c_void_p, POINTER(gf_signal_shape), POINTER(gf_signal_options), c_void_p, POINTER(gf_error)]),
    "gf_signal_plan_destroy": (None, [c_void_p]),
    "gf_signal_plan_explain": (c_int, [c_void_p, c_int, c_char_p, c_size_t, c_void_p, POINTER(gf_error)]),
    "gf_signal_plan_output": (gf_signal_shape, [c_void_p]),
    "gf_signal_reader_close": (None, [c_void_p]),
    "gf_signal_reader_info": (POINTER(gf_signal_info), [c_void_p]),
    "gf_signal_reader_open": (c_int, [c_char_p, POINTER(gf_signal_read_options), c_void_p, POINTER(gf_error)]),
    "gf_signal_reader_read": (c_int, [c_void_p, c_void_p, c_int64, c_int64, c_void_p, POINTER(gf_error)]),
    "gf_signal_sample_name": (c_char_p, [c_int]),
    "gf_signal_writer_abort": (None, [c_void_p]),
    "gf_signal_writer_commit": (c_int, [c_void_p, POINTER(gf_error)]),
    "gf_signal_writer_open": (c_int, [c_char_p, c_int32, c_double, POINTER(gf_signal_write_options), c_void_p, POINTER(gf_error)]),
    "gf_signal_writer_write": (c_int, [c_void_p, c_void_p, c_int64, c_int64, POINTER(gf_error)]),
    "gf_sort": (c_int, [gf_queue, POINTER(gf_sort_options), c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_size_t, POINTER(gf_error)]),
    "gf_sort_scratch": (c_int, [c_int32, POINTER(gf_sort_options), c_int64, c_void_p, POINTER(gf_error)]),
    "gf_stage_param": (POINTER(gf_param), [POINTER(gf_stage_type), c_int32]),
    "gf_stage_result": (POINTER(gf_stage_field), [POINTER(gf_stage_type), c_int32]),
    "gf_stage_result_table": (POINTER(gf_stage_table), [POINTER(gf_stage_type), c_int32]),
    "gf_stage_types": (POINTER(POINTER(gf_stage_type)), [c_void_p]),
    "gf_top_k": (c_int, [gf_queue, POINTER(gf_top_k_options), c_void_p, c_int64, c_int64, c_void_p, c_void_p, c_void_p, c_size_t, POINTER(gf_error)]),
    "gf_top_k_places": (c_int, [c_int64]),
    "gf_top_k_scratch": (c_int, [c_int32, POINTER(gf_top_k_options), c_int64, c_int64, c_void_p, POINTER(gf_error)]),
    "gf_version": (c_char_p, []),
    "gf_writer_abort": (None, [c_void_p]),
    "gf_writer_commit": (c_int, [c_void_p, POINTER(gf_error)]),
    "gf_writer_open": (c_int, [c_char_p, POINTER(gf_shape), POINTER(gf_metadata), POINTER(gf_write_options), c_void_p, POINTER(gf_error)]),
    "gf_writer_sink": (gf_sink, [c_void_p]),
}
