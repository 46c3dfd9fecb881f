/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes nodes, CPUs, distances and memory of this machine as lines of follow.log. They come from
 * sysfs. A kernel without NUMA has one node with all CPUs.
 */
#include "record/topology.h"

#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "record/blocks.h"
#include "base/idlist.h"
#include "record/machine.h"

#define NODES "/sys/devices/system/node"
#define CPUS  "/sys/devices/system/cpu"

/* Returns the value of a line such as "Node 0 MemTotal:  123 kB" in bytes; 0 if there is none. */
static uint64_t meminfo_bytes(const char *root, unsigned node, const char *key)
{
	char path[PATH_MAX], line[256];
	uint64_t kb = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s" NODES "/node%u/meminfo", root, node);
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f)) {
		char *p = strstr(line, key);

		if (p && sscanf(p + strlen(key), ": %" SCNu64, &kb) == 1)
			break;
	}
	fclose(f);
	return kb * 1024;
}

/* Writes the distances from one node to each online node. The kernel's file contains them in the
 * order of the nodes. */
static void write_distances(const char *root, unsigned node, const char *online, FILE *out)
{
	char path[96], line[4096], *p = line, *end;
	struct idlist l = idlist_make(online);
	unsigned to;

	snprintf(path, sizeof(path), NODES "/node%u/distance", node);
	machine_read_line(root, path, line, sizeof(line));
	while (idlist_next(&l, &to)) {
		unsigned long d = strtoul(p, &end, 10);

		if (end == p)
			break;
		fprintf(out, "distance\t%u\t%u\t%lu\n", node, to, d);
		p = end;
	}
}

/* Writes a CPU with its core and package; -1 stands for a number that the kernel does not know, as
 * in some virtual machines. */
static void write_cpu(const char *root, unsigned cpu, unsigned node, FILE *out)
{
	char path[96];
	int core, package;

	snprintf(path, sizeof(path), CPUS "/cpu%u/topology/core_id", cpu);
	core = machine_read_int(root, path);
	snprintf(path, sizeof(path), CPUS "/cpu%u/topology/physical_package_id", cpu);
	package = machine_read_int(root, path);
	fprintf(out, "cpu\t%u\t%u\t%d\t%d\n", cpu, node, core < 0 ? -1 : core,
		package < 0 ? -1 : package);
}

static void write_cpus(const char *root, const char *cpus, unsigned node, FILE *out)
{
	struct idlist l = idlist_make(cpus);
	unsigned cpu;

	while (idlist_next(&l, &cpu))
		write_cpu(root, cpu, node, out);
}

/* Writes the `node` line of a node: its CPUs, its memory and its free memory. */
static void write_node(const char *root, unsigned node, const char *cpus, FILE *out)
{
	fprintf(out, "node\t%u\t%s\t%" PRIu64 "\t%" PRIu64 "\n", node, cpus,
		meminfo_bytes(root, node, "MemTotal"), meminfo_bytes(root, node, "MemFree"));
}

/* For a kernel without NUMA: writes one node with all CPUs. By convention, the distance of a node
 * to itself is 10. */
static void write_without_nodes(const char *root, FILE *out)
{
	char cpus[4096];

	machine_read_line(root, CPUS "/online", cpus, sizeof(cpus));
	write_node(root, 0, cpus, out);
	fputs("distance\t0\t0\t10\n", out);
	write_cpus(root, cpus, 0, out);
}

/* Does the kernel immediately count each page that it places on another node? Before Linux 4.14,
 * the counters may lack the last second. The administrator can switch the counters off. */
static bool has_counters(const char *root)
{
	char release[256] = "";
	unsigned major = 0, minor = 0;

	machine_read_line(root, "/proc/sys/kernel/osrelease", release, sizeof(release));
	return sscanf(release, "%u.%u", &major, &minor) == 2 &&
	       (major > 4 || (major == 4 && minor >= 14)) &&
	       machine_read_int(root, "/proc/sys/vm/numa_stat") != 0;
}

/* Reads how many pages the kernel has placed on other nodes since boot, although they belong on
 * this node, because the node was full. Returns false if the kernel does not report it. */
static bool read_foreign(const char *root, unsigned node, uint64_t *pages)
{
	char path[PATH_MAX], line[256];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s" NODES "/node%u/numastat", root, node);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "numa_foreign %" SCNu64, pages) == 1;
	if (f)
		fclose(f);
	return found;
}

/* A node's counter is written repeatedly. If it is the same in two successive lines, the importer
 * concludes that the node had free memory for all its new pages between the two. */
void topology_write_foreign(const char *root, FILE *out)
{
	struct idlist l;
	char online[4096];
	uint64_t pages, began;
	unsigned node;

	if (machine_read_line(root, NODES "/online", online, sizeof(online)) <= 0 ||
	    !has_counters(root))
		return;
	l = idlist_make(online);
	while (idlist_next(&l, &node)) {
		began = monotonic_ns();
		if (read_foreign(root, node, &pages))
			fprintf(out, "foreign\t%" PRIu64 "\t%u\t%" PRIu64 "\t%" PRIu64 "\n", began,
				node, pages, monotonic_ns() - began);
	}
}

/* Nodes without memory are written, too. */
void topology_write(const char *root, FILE *out)
{
	char online[4096], cpus[4096], path[96];
	struct idlist l;
	unsigned node;

	if (machine_read_line(root, NODES "/online", online, sizeof(online)) <= 0) {
		write_without_nodes(root, out);
		return;
	}
	l = idlist_make(online);
	while (idlist_next(&l, &node)) {
		snprintf(path, sizeof(path), NODES "/node%u/cpulist", node);
		machine_read_line(root, path, cpus, sizeof(cpus));
		write_node(root, node, cpus, out);
		write_distances(root, node, online, out);
		write_cpus(root, cpus, node, out);
	}
	blocks_write(root, online, out);
}
