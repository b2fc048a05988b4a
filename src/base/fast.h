/*
 * fast.h - whether short ways are taken: code that gives, sooner, what the
 * general code beside it gives.  A test turns them off (SLOTRACE_GENERAL set in
 * the environment) and compares.
 */
#ifndef BASE_FAST_H
#define BASE_FAST_H

extern int	 fast_paths;		/* 1 */

#endif
