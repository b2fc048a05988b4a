/*
 * html-lanes.c - the drawing of the page: a lane for each node and each client,
 * over time (sql/report/lanes.sql says what stands where).
 */
#include <string.h>

#include "report/html.h"
#include "report/scope.h"
#include "store/query.h"

static int
put_shade(struct html *h, const struct query *q)
{
	html_fill(h, q, "<a href=\"#window-$0\"><rect class=\"maybe\" x=\"$1\" y=\"0\" width=\"$2\" "
	    "height=\"30\"/><rect class=\"sure\" x=\"$3\" y=\"0\" width=\"$4\" height=\"30\"/>"
	    "<title>$5</title></a>");
	return (0);
}

/* Where a shape stands in the 30 units of a lane's height. */
static const struct shape {
	const char	*name;
	int		 y, height;
} shapes[] = {
	{ "own", 9, 12 }, { "gap", 9, 12 }, { "alive", 14, 2 },
	{ "redirect", 21, 8 }, { "failed", 21, 8 }, { "unsure", 9, 3 }, { "storm", 0, 5 },
	{ "promotion", 3, 24 }, { "demotion", 3, 24 }, { "fail", 3, 24 },
	{ "down", 3, 24 }, { "back", 3, 24 },
};

static int
put_mark(struct html *h, const struct query *q)
{
	const char	*shape = query_text(q, 0);
	size_t		 i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		if (strcmp(shape, shapes[i].name) != 0)
			continue;
		fprintf(h->f, "<rect class=\"%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\"><title>",
		    shape, query_text(q, 1), shapes[i].y, query_text(q, 2), shapes[i].height);
		html_column(h, q, 3);
		fputs("</title></rect>", h->f);
		return (0);
	}
	/* an error: its shape keeps its width when the lane is zoomed */
	html_fill(h, q, "<a href=\"#$4\"><rect class=\"error $0\" transform=\"translate($1 0)\" "
	    "x=\"-4\" y=\"2\" width=\"8\" height=\"17\"><title>$3</title></rect></a>");
	return (0);
}

static int
put_lane(struct html *h, const struct query *q)
{
	int	 rv;

	fputs("<div class=\"lane\"><div class=\"name\" title=\"", h->f);
	html_column(h, q, 2);
	fputs("\">", h->f);
	html_column(h, q, 1);
	fputs("</div><svg viewBox=\"0 0 1000 30\" preserveAspectRatio=\"none\" role=\"img\" "
	    "aria-label=\"", h->f);
	html_column(h, q, 1);
	fputs("\">", h->f);
	rv = html_each(h, put_shade, query_int(q, 0), "SELECT window_id, printf('%.2f', x0), "
	    "printf('%.2f', x3 - x0), printf('%.2f', x1), printf('%.2f', x2 - x1), title "
	    "FROM shade WHERE incident = (SELECT incident FROM lane WHERE lane_id = ?1) "
	    "ORDER BY window_id");
	if (rv != -1)
		rv = html_each(h, put_mark, query_int(q, 0), "SELECT shape, printf('%.2f', x0), "
		    "printf('%.2f', max(x1 - x0, 0.4)), title, target FROM mark "
		    "WHERE lane_id = ?1 ORDER BY mark_id");
	fputs("</svg></div>\n", h->f);
	return (rv == -1 ? -1 : 0);
}

static int
put_extent(struct html *h, const struct query *q)
{
	html_fill(h, q, "<p class=\"tools\"><button data-zoom=\"0.5\">zoom in</button>"
	    "<button data-zoom=\"2\">zoom out</button><button data-zoom=\"l\">&#8592;</button>"
	    "<button data-zoom=\"r\">&#8594;</button><button data-zoom=\"0\">all</button>"
	    "<span class=\"dim\">or shift and wheel; double-click a window's row</span></p>\n"
	    "<div class=\"lanes\" data-t0=\"$0\" data-t1=\"$1\">\n<div class=\"lane\">"
	    "<div class=\"name\">UTC, $2</div><div class=\"axis\"><span>$3</span><span>$4</span>"
	    "<span>$5</span><span>$6</span><span>$7</span></div></div>\n");
	return (0);
}

int
html_lanes(struct html *h)
{
	int	 rv;

	if (scope_script(h->s, "sql/report/lanes.sql", h->err) == -1)
		return (-1);
	fputs("<h2 id=\"lanes\">Timeline</h2>\n<p class=\"legend\">"
	    "<span><i style=\"--k:var(--own)\"></i>owns slots, by its own word</span>"
	    "<span><i style=\"--k:var(--gap)\"></i>not heard of, or changed in here</span>"
	    "<span><i style=\"--k:var(--alive);height:2px;vertical-align:4px\"></i>alive, owns nothing</span>"
	    "<span><i style=\"--k:var(--shade);opacity:.4\"></i>divergence window, lighter where its edge is uncertain</span>"
	    "<span><i style=\"--k:var(--fg);width:3px\"></i>promotion, demotion, says FAIL or PFAIL of another</span>"
	    "<span><i style=\"--k:var(--down);width:3px\"></i>is said to be down</span>"
	    "<span><i style=\"--k:var(--back);width:3px\"></i>is said to be back</span>"
	    "<span><i style=\"--k:var(--dim);width:3px\"></i>redirects</span>"
	    "<span><i style=\"--k:var(--genuine);opacity:.6;width:3px\"></i>failed contacts</span>"
	    "<span><i style=\"--k:var(--corruption);opacity:.45;height:4px;vertical-align:4px\"></i>storm of connects or map requests</span>"
	    "<span><i style=\"--k:var(--genuine)\"></i>genuine</span>"
	    "<span><i style=\"--k:var(--spurious)\"></i>spurious</span>"
	    "<span><i style=\"--k:var(--corruption)\"></i>corruption</span>"
	    "<span><i style=\"--k:var(--undetermined)\"></i>undetermined</span>"
	    "<span><i style=\"--k:var(--dim);height:3px;vertical-align:3px\"></i>an error, somewhere in here</span></p>\n", h->f);
	rv = html_each(h, put_extent, -1, "WITH at (i, us) AS (SELECT value, t0 + (t1 - t0) * value / 4 "
	    "FROM extent, json_each('[0,1,2,3,4]')), text (i, t) AS (SELECT i, "
	    "strftime('%H:%M:%S', us / 1000000, 'unixepoch') || printf('.%03d', us / 1000 % 1000) FROM at) "
	    "SELECT printf('%.3f', t0 / 1000.0), printf('%.3f', t1 / 1000.0), "
	    "strftime('%Y-%m-%d', t0 / 1000000, 'unixepoch'), "
	    "(SELECT t FROM text WHERE i = 0), (SELECT t FROM text WHERE i = 1), "
	    "(SELECT t FROM text WHERE i = 2), (SELECT t FROM text WHERE i = 3), "
	    "(SELECT t FROM text WHERE i = 4) FROM extent WHERE t0 IS NOT NULL");
	if (rv <= 0) {
		fputs("<p>Nothing with a time to draw.</p>\n", h->f);
		return (rv);
	}
	rv = html_each(h, put_lane, -1, "SELECT lane_id, prefix || label, detail FROM lane l JOIN whose USING (incident) "
	    "WHERE (SELECT count(*) FROM lane b WHERE b.kind = l.kind AND b.lane_id < l.lane_id) < 24 "
	    "ORDER BY lane_id");
	fputs("</div>\n", h->f);
	return (rv);
}
