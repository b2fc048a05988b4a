/*
 * input.c - archives and compression, through libarchive.
 *
 * Each layer of packing is a libarchive handle of its own with exactly the one
 * filter or format that the first bytes say, so that a text is never taken for
 * uuencode or mtree and no program is ever run.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/stream.h"
#include "base/walk.h"

enum packing {
	PACK_NONE, PACK_GZIP, PACK_BZIP2, PACK_XZ, PACK_LZMA, PACK_ZSTD,
	PACK_LZ4, PACK_TAR, PACK_ZIP, PACK_CPIO, PACK_7ZIP, PACK_NKINDS
};

static const struct {
	const char	*name, *magic;
	size_t		 n;
	int		(*filter)(struct archive *);
	int		(*format)(struct archive *);
	int		 seeks;		/* must be able to */
} packings[PACK_NKINDS] = {
	[PACK_GZIP] = { "gzip", "\x1f\x8b\x08", 3,
	    archive_read_support_filter_gzip, NULL, 0 },
	[PACK_BZIP2] = { "bzip2", "BZh", 3,
	    archive_read_support_filter_bzip2, NULL, 0 },
	[PACK_XZ] = { "xz", "\xfd" "7zXZ\0", 6,
	    archive_read_support_filter_xz, NULL, 0 },
	[PACK_LZMA] = { "lzma", "\x5d\0\0", 3,
	    archive_read_support_filter_lzma, NULL, 0 },
	[PACK_ZSTD] = { "zstd", "\x28\xb5\x2f\xfd", 4,
	    archive_read_support_filter_zstd, NULL, 0 },
	[PACK_LZ4] = { "lz4", "\x04\x22\x4d\x18", 4,
	    archive_read_support_filter_lz4, NULL, 0 },
	[PACK_TAR] = { "tar", NULL, 0, NULL, archive_read_support_format_tar, 0 },
	[PACK_ZIP] = { "zip", "PK", 2, NULL, archive_read_support_format_zip, 1 },
	[PACK_CPIO] = { "cpio", "0707", 4, NULL,
	    archive_read_support_format_cpio, 0 },
	[PACK_7ZIP] = { "7zip", "7z\xbc\xaf\x27\x1c", 6, NULL,
	    archive_read_support_format_7zip, 1 },
};

enum { BLOCK = 131072, PATH_BYTES = 4096 };
#define RATIO_FROM	((int64_t)256 << 20)

/* One layer: what libarchive reads from, and what it gives. */
struct layer {
	struct stream	 s;		/* of the current member */
	struct archive	*a;
	struct input	*below;
	int		 own_below;
	struct budget	*budget;
	int		 count_in;	/* below is not packed itself */
	enum packing	 kind;
	int64_t		 given;		/* bytes of this member */
	char		 block[BLOCK];
};

/* A tar header is told by its checksum: the sum of its 512 bytes with the
 * checksum's own eight read as blanks (POSIX ustar; v7 has no magic). */
static int
is_tar(struct span p)
{
	long	 sum = 0, said = 0;
	int	 i, digits = 0;

	if (p.n < 512 || p.p[0] == '\0')
		return (0);
	for (i = 0; i < 512; i++)
		sum += i >= 148 && i < 156 ? ' ' : (unsigned char)p.p[i];
	for (i = 148; i < 156 && (p.p[i] == ' ' || p.p[i] == '0'); i++)
		digits += p.p[i] == '0';
	for (; i < 156 && p.p[i] >= '0' && p.p[i] <= '7'; i++, digits++)
		said = said * 8 + (p.p[i] - '0');
	return (digits > 0 && said == sum);
}

/* The header of lzma alone has no magic: properties, a dictionary size that is
 * a power of two, a length that is unknown or believable. */
static int
is_lzma(struct span p)
{
	uint32_t	 dict = 0;
	uint64_t	 size = 0;
	int		 i;

	if (p.n < 14)
		return (0);
	for (i = 4; i >= 1; i--)
		dict = dict << 8 | (unsigned char)p.p[i];
	for (i = 12; i >= 5; i--)
		size = size << 8 | (unsigned char)p.p[i];
	return (dict >= 4096 && (dict & (dict - 1)) == 0 && p.p[13] == 0 &&
	    (size == UINT64_MAX || size < (uint64_t)1 << 38));
}

static int
all_in(struct span p, size_t from, size_t to, const char *set)
{
	size_t	 i;

	if (p.n < to)
		return (0);
	for (i = from; i < to; i++)
		if (p.p[i] == '\0' || strchr(set, p.p[i]) == NULL)
			return (0);
	return (1);
}

/* What the magic alone leaves open. */
static int
confirms(enum packing k, struct span p)
{
	switch (k) {
	case PACK_GZIP:
		return (p.n >= 10 && (p.p[3] & 0xe0) == 0);
	case PACK_BZIP2:
		return (p.n >= 10 && p.p[3] >= '1' && p.p[3] <= '9' &&
		    (memcmp(p.p + 4, "1AY&SY", 6) == 0 ||
		    memcmp(p.p + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0));
	case PACK_LZMA:
		return (is_lzma(p));
	case PACK_ZIP:
		return (p.n >= 4 && (memcmp(p.p + 2, "\3\4", 2) == 0 ||
		    memcmp(p.p + 2, "\5\6", 2) == 0));
	case PACK_CPIO:
		return (p.n >= 6 && (p.p[5] == '7' ?
		    all_in(p, 4, 76, "01234567") :
		    all_in(p, 4, 6, "0127") &&
		    all_in(p, 6, 110, "0123456789abcdefABCDEF")));
	default:
		return (1);
	}
}

static enum packing
packing_of(struct span p)
{
	int	 k;

	for (k = PACK_GZIP; k < PACK_NKINDS; k++)
		if (packings[k].magic != NULL && p.n >= packings[k].n &&
		    memcmp(p.p, packings[k].magic, packings[k].n) == 0 &&
		    confirms((enum packing)k, p))
			return ((enum packing)k);
	return (is_tar(p) ? PACK_TAR : PACK_NONE);
}

static ssize_t
on_read(struct archive *a, void *arg, const void **block)
{
	struct layer	*l = arg;
	struct err	 e = ERR_INIT;
	char		 text[600];
	ssize_t		 r = input_read(l->below, l->block, BLOCK, &e);

	if (r < 0) {
		err_text(&e, text, sizeof text);
		archive_set_error(a, EIO, "%s", text);
		return (-1);
	}
	if (l->count_in)
		l->budget->in += r;
	*block = l->block;
	return (r);
}

static int64_t
on_seek(struct archive *a, void *arg, int64_t offset, int whence)
{
	struct layer	*l = arg;
	struct err	 e = ERR_INIT;

	if (whence == SEEK_CUR)
		offset += input_offset(l->below);
	else if (whence == SEEK_END)
		offset += input_stream(l->below)->length;
	if (input_seek(l->below, offset, &e) != 0) {
		archive_set_error(a, EIO, "cannot seek");
		return (ARCHIVE_FATAL);
	}
	return (offset);
}

static int64_t
on_skip(struct archive *a, void *arg, int64_t n)
{
	struct layer	*l = arg;
	int64_t		 left = input_stream(l->below)->length -
	    input_offset(l->below);

	(void)a;
	if (n > left)
		n = left;
	if (n <= 0 || input_seek(l->below, input_offset(l->below) + n,
	    NULL) != 0)
		return (0);
	l->budget->in += n;
	return (n);
}

static int
over_budget(struct layer *l, ssize_t more, struct err *e)
{
	struct budget	*b = l->budget;

	b->out += more;
	b->spent = 1;
	if (b->out > b->limits.bytes)
		return (err_set(e, "unpacks to more than %lld bytes (limit"
		    " bytes)", (long long)b->limits.bytes));
	if (b->out > RATIO_FROM && (b->out - 1) / b->limits.ratio >= b->in)
		return (err_set(e, "unpacks to more than %lld times its size"
		    " (limit ratio)", (long long)b->limits.ratio));
	b->spent = 0;
	return (0);
}

static const char *
why(const struct layer *l)
{
	const char	*s = archive_error_string(l->a);

	return (s != NULL ? s : "damaged");
}

static ssize_t
layer_pull(struct stream *s, void *buf, size_t n, struct err *e)
{
	struct layer	*l = (struct layer *)s;
	ssize_t		 r;

	do {
		r = archive_read_data(l->a, buf, n);
	} while (r == ARCHIVE_RETRY);
	if (r < 0)
		return (err_set(e, "%s: %s after byte %lld",
		    packings[l->kind].name, why(l), (long long)l->given));
	l->given += r;
	return (over_budget(l, r, e) != 0 ? -1 : r);
}

static void
layer_free(struct layer *l)
{
	archive_read_free(l->a);
	if (l->own_below)
		input_close(l->below);
	free(l);
}

/* A stream that owns its layer: what a filter gives. */
static void
filter_close(struct stream *s)
{
	layer_free((struct layer *)s);
}

/* A member belongs to its archive, which goes on after it. */
static void
member_close(struct stream *s)
{
	s->name = NULL;
}

static const struct stream_ops filter_ops = { layer_pull, NULL, filter_close };
static const struct stream_ops member_ops = { layer_pull, NULL, member_close };

static struct layer *
layer_open(struct budget *b, struct input *below, enum packing kind,
    struct err *e)
{
	struct layer	*l = mem_zero(1, sizeof *l);

	l->a = archive_read_new();
	l->below = below;
	l->budget = b;
	l->kind = kind;
	l->count_in = input_stream(below)->ops != &filter_ops &&
	    input_stream(below)->ops != &member_ops;
	if (packings[kind].filter != NULL) {
		packings[kind].filter(l->a);
		archive_read_support_format_raw(l->a);
		archive_read_support_format_empty(l->a);
	} else
		packings[kind].format(l->a);
	archive_read_set_callback_data(l->a, l);
	archive_read_set_read_callback(l->a, on_read);
	if (input_can_rewind(below)) {
		archive_read_set_seek_callback(l->a, on_seek);
		archive_read_set_skip_callback(l->a, on_skip);
	}
	if (archive_read_open1(l->a) != ARCHIVE_OK) {
		err_set(e, "%s: %s", packings[kind].name, why(l));
		layer_free(l);
		return (NULL);
	}
	return (l);
}

static int64_t
entry_mtime(struct archive_entry *en, int64_t otherwise)
{
	int64_t	 at = archive_entry_mtime_is_set(en) ?
	    stream_file_time(archive_entry_mtime(en), archive_entry_mtime_nsec(en)) : INT64_MIN;

	return (at != INT64_MIN ? at : otherwise);
}

/* The input with one filter undone, which owns what is below it if own is set
 * and all went well. */
static struct input *
filter_open(struct budget *b, struct input *below, enum packing kind, int own,
    struct err *e)
{
	struct layer		*l = layer_open(b, below, kind, e);
	struct archive_entry	*en;
	struct stream		*under = input_stream(below);
	int			 r;

	if (l == NULL)
		return (NULL);
	r = archive_read_next_header(l->a, &en);
	if (r != ARCHIVE_OK && r != ARCHIVE_WARN && r != ARCHIVE_EOF) {
		err_set(e, "%s: %s", packings[kind].name, why(l));
		layer_free(l);
		return (NULL);
	}
	l->own_below = own;
	l->s.ops = &filter_ops;
	l->s.name = mem_str(input_name(below));
	l->s.mtime = r == ARCHIVE_EOF ? under->mtime :
	    entry_mtime(en, under->mtime);
	l->s.length = -1;
	if (under->reopen != NULL)
		l->s.reopen = mem_str(under->reopen);
	l->s.found = under->found;
	return (input_of(&l->s));
}

struct input *
unpack_filters(struct budget *b, struct input *in, struct err *e)
{
	struct input	*up;
	enum packing	 k;
	int		 depth;

	for (depth = 0; depth < b->limits.depth; depth++) {
		k = packing_of(input_peek(in, INPUT_PEEK));
		if (k == PACK_NONE || packings[k].filter == NULL)
			return (in);
		if ((up = filter_open(b, in, k, 1, e)) == NULL)
			break;
		in = up;
	}
	input_close(in);
	return (NULL);
}

static int
tell(struct visit *v, const char *name, const char *code, const struct err *why_not,
    struct err *e)
{
	char	 text[700];

	err_text(why_not, text, sizeof text);
	return (v->problem(v, name, code, text, e));
}

/* "archive:path"; the caller frees it.  Bytes as they are in the archive. */
static char *
member_name(const char *archive, struct archive_entry *en, enum packing kind, int *cut)
{
	const char	*path = NULL;
	char		*name;
	size_t		 n;

	if (kind == PACK_ZIP || kind == PACK_7ZIP)
		path = archive_entry_pathname_utf8(en);
	if (path == NULL)
		path = archive_entry_pathname(en);
	if (path == NULL)
		path = "(unnamed)";
	while (strncmp(path, "./", 2) == 0 && path[2] != '\0')
		path += 2;
	n = strlen(path);
	*cut = n > PATH_BYTES;
	if (*cut)			/* its end names the file */
		path += n - PATH_BYTES;
	n = strlen(archive) + strlen(path) + 2;
	name = mem_alloc(n);
	snprintf(name, n, "%s:%s", archive, path);
	return (name);
}

/* Would this path lead out of the place where it is unpacked? */
static int
is_trick(const char *path)
{
	size_t	 n = strlen(path);

	return (path[0] == '/' || strcmp(path, "..") == 0 ||
	    strncmp(path, "../", 3) == 0 || strstr(path, "/../") != NULL ||
	    (n >= 3 && strcmp(path + n - 3, "/..") == 0));
}

/* Why a member is not read: a code, or NULL if it is. */
static const char *
left_out(struct archive_entry *en, const char **reason)
{
	if (archive_entry_hardlink(en) != NULL ||
	    archive_entry_filetype(en) == AE_IFLNK) {
		*reason = "a link in an archive is not followed";
		return ("link");
	}
	if (archive_entry_filetype(en) != AE_IFREG) {
		*reason = "is no file (device, pipe or socket)";
		return ("unsupported");
	}
	if (archive_entry_is_data_encrypted(en)) {
		*reason = "is encrypted";
		return ("encrypted");
	}
	return (NULL);
}

/* NOLINTBEGIN(misc-no-recursion): packed in packed, limits.depth at most */

static int
visit_entry(struct visit *v, struct layer *l, struct archive_entry *en,
    int depth, struct err *e)
{
	int		 r = 0, cut;
	char		*name = member_name(input_name(l->below), en, l->kind, &cut);
	const char	*code, *reason, *path;
	struct input	*in;

	path = name + strlen(input_name(l->below)) + 1;
	if (archive_entry_filetype(en) == AE_IFDIR)
		goto out;
	if ((code = left_out(en, &reason)) != NULL) {
		r = v->problem(v, name, code, reason, e);
		goto out;
	}
	if (cut && v->problem(v, name, "name", "the path is longer than 4096 bytes: this is"
	    " its end", e) != 0) {
		r = -1;
		goto out;
	}
	if (is_trick(path) && v->problem(v, name, "name", "the path leads out"
	    " of the archive; read, never written", e) != 0) {
		r = -1;
		goto out;
	}
	l->s.ops = &member_ops;
	l->s.name = name;
	l->s.mtime = entry_mtime(en, INT64_MIN);
	l->s.length = archive_entry_size_is_set(en) ?
	    (int64_t)archive_entry_size(en) : -1;
	l->given = 0;
	in = input_of(&l->s);
	r = unpack(v, in, depth + 1, e);
	input_close(in);
	return (r);
out:
	free(name);
	return (r);
}

static int
members_of(struct visit *v, struct input *in, enum packing kind, int depth,
    struct err *e)
{
	struct budget		*b = &v->budget;
	struct err		 why_not = ERR_INIT;
	struct layer		*l = layer_open(b, in, kind, &why_not);
	struct archive_entry	*en;
	int			 r = 0, got;

	v->named = 0;			/* what is inside was not named */
	if (l == NULL)
		return (tell(v, input_name(in), "archive", &why_not, e));
	while (r == 0 && (got = archive_read_next_header(l->a, &en)) !=
	    ARCHIVE_EOF) {
		if (got != ARCHIVE_OK && got != ARCHIVE_WARN) {
			err_set(&why_not, "%s: %s", packings[kind].name,
			    why(l));
			r = tell(v, input_name(in), "archive", &why_not, e);
			break;
		}
		if (b->spent || ++b->members > b->limits.members) {
			if (b->spent)
				err_set(&why_not, "unpacks to too much; the"
				    " rest is not read");
			else
				err_set(&why_not, "has more than %lld members"
				    " (limit members)",
				    (long long)b->limits.members);
			r = tell(v, input_name(in), "limit", &why_not, e);
			break;
		}
		r = visit_entry(v, l, en, depth, e);
	}
	layer_free(l);
	return (r);
}

static int
too_deep(struct visit *v, struct input *in, struct err *e)
{
	return (v->problem(v, input_name(in), "limit", "is packed too deep"
	    " (limit depth)", e));
}

int
unpack(struct visit *v, struct input *in, int depth, struct err *e)
{
	enum packing	 k = packing_of(input_peek(in, INPUT_PEEK));
	struct err	 why_not = ERR_INIT;
	struct input	*up;
	int		 r, layers;

	if (k == PACK_NONE) {
		v->visited++;
		return (v->member(v, in, e));
	}
	if (depth >= v->budget.limits.depth)
		return (too_deep(v, in, e));
	if (packings[k].filter == NULL && packings[k].seeks &&
	    !input_can_rewind(in)) {
		if ((up = input_keep(v, in, &why_not)) == NULL)
			return (tell(v, input_name(in), "archive", &why_not,
			    e));
		r = members_of(v, up, k, depth, e);
		input_close(up);
		return (r);
	}
	if (packings[k].filter == NULL)
		return (members_of(v, in, k, depth, e));
	if ((up = filter_open(&v->budget, in, k, 0, &why_not)) == NULL)
		return (tell(v, input_name(in), "archive", &why_not, e));
	/* libarchive undoes the same filter again where it finds it. */
	layers = archive_filter_count(((struct layer *)input_stream(up))->a) - 1;
	if (depth + layers > v->budget.limits.depth)
		r = too_deep(v, in, e);
	else
		r = unpack(v, up, depth + (layers > 1 ? layers : 1), e);
	input_close(up);
	return (r);
}

/* NOLINTEND(misc-no-recursion) */
