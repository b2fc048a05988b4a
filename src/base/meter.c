#include "base/meter.h"

#include <stddef.h>

static struct {
	void		(*tell)(void *, int64_t);
	void		*arg;
	int64_t		 bytes;
} meter;

void
meter_watch(void (*tell)(void *, int64_t), void *arg)
{
	meter.tell = tell;
	meter.arg = arg;
	meter.bytes = 0;
}

void
meter_add(int64_t bytes)
{
	if (meter.tell == NULL || bytes <= 0)
		return;
	meter.bytes += bytes;
	meter.tell(meter.arg, meter.bytes);
}
