/*
 * config-setting.h - which settings of a server are kept.  Only these: a
 * configuration holds passwords and paths that are nobody's business.
 */
#ifndef FORMAT_CONFIG_SETTING_H
#define FORMAT_CONFIG_SETTING_H

#include "model/obs.h"

/* The name as redis.conf spells it today, for any spelling of it (old names,
 * upper case, the names of INFO); NULL when it is not kept. */
const char	*config_setting(struct span name);
/* A value without its quotes; p NULL when it cannot be one. */
struct span	 config_value(struct span);

#endif
