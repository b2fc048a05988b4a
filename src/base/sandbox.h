/*
 * sandbox.h - from a call on, this process can create, change and remove files
 * only inside some folders, run no program and use no TCP: what a decoder could
 * be tricked into ends there.  Landlock, Linux 5.13 and newer; on other systems
 * it does nothing.
 */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

/* For good.  Files that are open stay so.  Paths of files in those folders, or
 * of the folders themselves; NULL ends them.  1 in force, 0 not to be had. */
int	 sandbox_enter(const char *const *paths);

#endif
