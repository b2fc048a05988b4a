/*
 * time-form.h - what looks like a time, although no layout of stamp.h reads it.
 */
#ifndef TEXT_TIME_FORM_H
#define TEXT_TIME_FORM_H

#include "base/span.h"

/* The text that such a line begins with, as long as it is of the time, and in
 * *lacks why it is not read; p NULL: it does not look like one. */
struct span	 time_form(struct span line, const char **lacks);

#endif
