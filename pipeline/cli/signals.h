/* Signals that end the program take its temporary files with them. */
#ifndef GF_CLI_SIGNALS_H
#define GF_CLI_SIGNALS_H

/* From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the temporary file, if there is one,
 * and then end the program as they would have; those that were ignored stay ignored. */
void signals_install(void);

/* The temporary file to remove, kept by the caller until the call with NULL. Has the form of
 * gf_write_options.on_temporary; `user` is not used. */
void signals_temporary(void *user, const char *path);

#endif
