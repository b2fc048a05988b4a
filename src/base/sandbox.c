#include "base/sandbox.h"

#include "config.h"

#ifdef HAVE_LINUX_LANDLOCK_H

#include <fcntl.h>
#include <libgen.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

/* Newer than the headers may be; each is handled where the kernel knows it. */
struct ruleset {
	uint64_t	 fs, net, scoped;
};
enum {
	ABI_REFER = 2, ABI_TRUNCATE = 3, ABI_NET = 4, ABI_SCOPE = 6,
	FS_REFER = 1 << 13, FS_TRUNCATE = 1 << 14,
	NET_BIND_CONNECT = 3, SCOPE_UNIX_SIGNAL = 3
};
#define IN_FOLDER ((uint64_t)(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | \
	    LANDLOCK_ACCESS_FS_MAKE_REG))
#define NOWHERE ((uint64_t)(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
	    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | \
	    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
	    LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM))

/* The folder of a path, links followed: the caller frees it; NULL. */
static char *
folder_of(const char *path)
{
	char		*real = realpath(path, NULL), *copy, *dir;
	struct stat	 st;

	if (real != NULL && stat(real, &st) == 0 && S_ISDIR(st.st_mode))
		return (real);
	copy = mem_str(real != NULL ? real : path);
	free(real);
	dir = mem_str(dirname(copy));
	free(copy);
	return (dir);
}

static int
allow(int ruleset, const char *path, uint64_t access)
{
	struct landlock_path_beneath_attr	 beneath = { .allowed_access = access };
	char					*dir = folder_of(path);
	int					 r;

	beneath.parent_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(dir);
	if (beneath.parent_fd < 0)
		return (0);		/* nothing can be written there anyway */
	r = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
	close(beneath.parent_fd);
	return (r);
}

int
sandbox_enter(const char *const *paths)
{
	long		 abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
	    LANDLOCK_CREATE_RULESET_VERSION);
	uint64_t	 truncate = abi >= ABI_TRUNCATE ? FS_TRUNCATE : 0;
	struct ruleset	 r = { NOWHERE | IN_FOLDER | truncate, 0, 0 };
	size_t		 bytes = sizeof r.fs;
	int		 fd, bad = 0;

	if (abi < 1)
		return (0);
	if (abi >= ABI_REFER)
		r.fs |= FS_REFER;
	if (abi >= ABI_NET) {
		r.net = NET_BIND_CONNECT;
		bytes = sizeof r.fs + sizeof r.net;
	}
	if (abi >= ABI_SCOPE) {
		r.scoped = SCOPE_UNIX_SIGNAL;
		bytes = sizeof r;
	}
	fd = (int)syscall(SYS_landlock_create_ruleset, &r, bytes, 0);
	if (fd < 0)
		return (0);
	for (; *paths != NULL && !bad; paths++)
		bad = allow(fd, *paths, IN_FOLDER | truncate) != 0;
	bad = bad || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    syscall(SYS_landlock_restrict_self, fd, 0) != 0;
	close(fd);
	return (!bad);
}

#else

int
sandbox_enter(const char *const *paths)
{
	(void)paths;
	return (0);
}

#endif
