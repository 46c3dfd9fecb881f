/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the command that runs a program in the emulator. The emulator executes only binaries, so
 * this code replaces a script with its interpreter, just as the kernel does. LD_PRELOAD must take
 * effect in the program and not in the emulator. memdb uses this code for the first program, and
 * the emulator's plugin for each program that the emulated program executes. */
#include "record/emulate.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/script.h"

struct program {
	char path[PATH_MAX];
	struct words words; /* argv of the program */
};

/* Do these bytes begin a program for x86-64, the only machine that is emulated? `head` is not
 * aligned, so the ELF header is copied before it is read. */
static bool is_x86_64(const char *head)
{
	Elf64_Ehdr eh;

	memcpy(&eh, head, sizeof(eh));
	return !memcmp(eh.e_ident, ELFMAG, SELFMAG) && eh.e_ident[EI_CLASS] == ELFCLASS64 &&
	       eh.e_machine == EM_X86_64 && (eh.e_type == ET_EXEC || eh.e_type == ET_DYN);
}

/* Replaces a script with its interpreter: sets p->path, and puts the interpreter's words before the
 * script's. Returns false if there is no interpreter, or if its path is too long. */
static bool use_interpreter(struct program *p, const char *name, const char *argument)
{
	struct words words = { 0 };

	if (!*name)
		return false;
	words_add(&words, name);
	if (*argument)
		words_add(&words, argument);
	words_add(&words, p->path);
	words_add_all(&words, p->words.n ? p->words.v + 1 : NULL);
	words_release(&p->words);
	p->words = words;
	return (size_t)snprintf(p->path, sizeof(p->path), "%s", name) < sizeof(p->path);
}

/* If the program is a script, replaces it with its interpreter, and repeats this until it is a
 * binary. Returns NULL, or a phrase that says why the emulator cannot run it. */
static const char *find_program(struct program *p)
{
	char head[SCRIPT_HEAD + 1];
	const char *name, *argument;

	for (int i = 0; i <= SCRIPTS_MOST; i++) {
		if (!script_read_head(p->path, head))
			return "it cannot be read";
		name = script_interpreter(head, &argument);
		if (!name)
			return is_x86_64(head) ? NULL
					       : "it is neither an x86-64 program nor a script "
						 "that begins with #!";
		if (!use_interpreter(p, name, argument))
			return "its interpreter is not named";
	}
	return "it is a script of a script of a script …";
}

/*
 * Moves LD_PRELOAD from the emulator's environment to the program's (option -E). Otherwise the
 * emulator would load those libraries itself.
 */
static void pass_preload(const char *preload, struct words *command, struct words *env)
{
	if (preload && *preload) {
		words_add(command, "-E");
		words_addf(command, "LD_PRELOAD=%s", preload);
	}
	words_unset_env(env, "LD_PRELOAD");
}

/* Makes glibc copy memory without `rep movsb`. The emulator executes that instruction byte by byte,
 * and each byte would count as one access; a real CPU copies larger pieces. */
static void pass_tunables(struct words *env)
{
	static const char ours[] = "glibc.cpu.hwcaps=-ERMS,-FSRM";
	const char *now = words_env(env, "GLIBC_TUNABLES");
	char *value = NULL;

	if (now && strstr(now, ours))
		return;
	if (asprintf(&value, "%s%s%s", ours, now && *now ? ":" : "", now ? now : "") < 0)
		env->failed = true;
	else
		words_set_env(env, "GLIBC_TUNABLES", value);
	free(value);
}

/* Adds the plugin and its options. QEMU separates options by commas and cannot quote a comma, so
 * the program's name is left out if it contains one. */
static void name_plugin(const struct emulation *e, const char *path, struct words *command)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	words_add(command, "-plugin");
	words_addf(command, "%s,%s,program=%.15s%s%s", e->plugin, e->options,
		   strchr(name, ',') ? "" : name, *e->tracker ? ",skip=" : "", e->tracker);
}

const char *emulate(const struct emulation *e, const char *path, char *const *argv,
		    struct words *command, struct words *env)
{
	const char *preload = words_env(env, "LD_PRELOAD"), *why;
	struct program p = { 0 };

	if ((size_t)snprintf(p.path, sizeof(p.path), "%s", path) >= sizeof(p.path))
		return "its path is too long";
	words_add_all(&p.words, argv);
	why = find_program(&p);
	if (!why && (strchr(e->tracker, ',') || (preload && strchr(preload, ','))))
		why = "LD_PRELOAD has a comma, which qemu-x86_64 takes for a separator";
	if (!why) {
		words_add(command, e->emulator);
		words_add(command, "-cpu");
		words_add(command, "max");
		words_add(command, "-0");
		words_add(command, p.words.n ? p.words.v[0] : "");
		pass_preload(preload, command, env);
		pass_tunables(env);
		name_plugin(e, path, command);
		words_add(command, p.path);
		words_add_all(command, p.words.n ? p.words.v + 1 : NULL);
		words_set_env(env, EMULATE_PROGRAM_VARIABLE, p.path);
	}
	command->failed |= p.words.failed;
	words_release(&p.words);
	return why;
}
