#include "base/fast.h"

int	 fast_paths = 1;
