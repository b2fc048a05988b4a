/*
 * formats.h - the rows of the output table, each defined in its own file.
 */
#ifndef REPORT_FORMATS_H
#define REPORT_FORMATS_H

#include "report/output.h"

extern const struct output	 output_text, output_markdown, output_html,
				 output_json, output_ndjson, output_csv,
				 output_tsv, output_columns, output_perfetto;

#endif
