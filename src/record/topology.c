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

/* Returns the largest number in a text such as "(0, 0, 3857)". */
static uint64_t largest_id(const char *list)
{
	uint64_t most = 0, v;
	char *end;

	for (list += strcspn(list, "0123456789"); *list; list = end + strcspn(end, "0123456789")) {
		v = strtoull(list, &end, 10);
		most = v > most ? v : most;
	}
	return most;
}

/* Estimates the free memory of a node that the kernel keeps in reserve: as long as other nodes have
 * free memory, the kernel allocates pages there instead of using this reserve. In each zone the
 * reserve is the low watermark plus a part that protects lower zones. Twice the high watermark is
 * used here, because the kernel raises the low watermark at times. */
static uint64_t reserve_bytes(const char *root, unsigned node)
{
	uint64_t pages = 0, high;
	char path[PATH_MAX], line[1024], zone[64];
	unsigned id = UINT_MAX;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/zoneinfo", root);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "Node %u, zone %63s", &id, zone) == 2 || id != node)
			continue;
		if (sscanf(line, " high %" SCNu64, &high) == 1)
			pages += 2 * high;
		else if (!strncmp(line + strspn(line, " "), "protection:", 11))
			pages += largest_id(line);
	}
	if (f)
		fclose(f);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
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

/* Writes a CPU with its core and package; -1 stands for a number that a virtual machine does not
 * report. */
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

/* Writes the `node` line of a node: its CPUs, its memory, its free memory and its reserve. */
static void write_node(const char *root, unsigned node, const char *cpus, FILE *out)
{
	fprintf(out, "node\t%u\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", node, cpus,
		meminfo_bytes(root, node, "MemTotal"), meminfo_bytes(root, node, "MemFree"),
		reserve_bytes(root, node));
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

/* Writes only the free memory of each node. The follower calls this repeatedly, because free memory
 * changes during a recording. */
void topology_write_free(const char *root, FILE *out)
{
	struct idlist l;
	char online[4096];
	unsigned node;

	if (machine_read_line(root, NODES "/online", online, sizeof(online)) <= 0)
		return;
	l = idlist_make(online);
	while (idlist_next(&l, &node)) {
		fprintf(out, "free\t%" PRIu64 "\t%u\t%" PRIu64 "\n", monotonic_ns(), node,
			meminfo_bytes(root, node, "MemFree"));
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
