/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * embed HEADER ARRAY FILE...: prints C source that defines `const struct sql_file ARRAY[]` of
 * HEADER: one { name, text } for each file, its name without folder and ending; a { NULL, NULL }
 * ends it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_text(FILE *in)
{
	int c;

	fputs("\t  \"", stdout);
	while ((c = getc(in)) != EOF) {
		if (c == '\n')
			fputs("\\n\"\n\t  \"", stdout);
		else if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < 32 || c > 126 || c == '?') /* '?': no trigraphs */
			printf("\\%03o", (unsigned)c);
		else
			putchar(c);
	}
	fputs("\" },\n", stdout);
}

static int embed(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	FILE *in = fopen(path, "r");

	if (!in) {
		perror(path);
		return -1;
	}
	printf("\t{ \"%.*s\",\n", (int)strcspn(name, "."), name);
	print_text(in);
	fclose(in);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: embed HEADER ARRAY FILE...\n");
		return 2;
	}
	printf("#include \"%s\"\n\n#include <stddef.h>\n\nconst struct sql_file %s[] = {\n",
	       argv[1], argv[2]);
	for (int i = 3; i < argc; i++)
		if (embed(argv[i]))
			return 1;
	printf("\t{ NULL, NULL },\n};\n");
	return fflush(stdout) || ferror(stdout);
}
