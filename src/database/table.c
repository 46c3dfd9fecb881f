/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes all tables that the writer fills: for each column its name, kind and offset in the
 * row's struct. The writer, the virtual table and the tests use these descriptions. The files of
 * sql/schema create the tables; their columns must have the same names. The columns of samples come
 * from the lists in sample_columns.h. */
#include "database/table.h"

#include "base/count.h"
#include "database/rows.h"
#include "database/totals.h"
#include "database/writer_rows.h"

/* clang-format off */
#define ID(m)           { #m, COLUMN_ID, offsetof(ROW, m), 0 }
#define ENUM(m)         { #m, COLUMN_ENUM, offsetof(ROW, m), 0 }
#define TIME(m)         { #m, COLUMN_TIME, offsetof(ROW, m), 0 }
#define INT(m)          { #m, COLUMN_INT, offsetof(ROW, m), 0 }
#define INT_IF(m, h)    { #m, COLUMN_INT, offsetof(ROW, m), h }
#define REAL(m)         { #m, COLUMN_REAL, offsetof(ROW, m), 0 }
#define BOOL(m)         { #m, COLUMN_BOOL, offsetof(ROW, m), 0 }
#define TEXT(m)         { #m, COLUMN_TEXT, offsetof(ROW, m), 0 }
#define KEY_OF(p, K, m) { #m, COLUMN_##K, offsetof(ROW, key.p.m), 0 }
#define COLUMN_OPT      COLUMN_INT
#define HAS_OF_ID(m)    0
#define HAS_OF_ENUM(m)  0
#define HAS_OF_INT(m)   0
#define HAS_OF_OPT(m)   HAS_##m

#define ROW struct row_run
static const struct column runs[] = {
	ID(id), TEXT(command), TEXT(directory), TEXT(hostname), TEXT(osrelease), TEXT(arch),
	TEXT(cpudesc), TEXT(memdb_version), TEXT(perf_version), TEXT(perf_command), TEXT(sampler),
	TEXT(clock), TEXT(recorded_clock), TEXT(clock_conversion), TIME(started_realtime_ns), TIME(start_ns), TIME(end_ns), BOOL(tracked), BOOL(damaged),
	INT_IF(sample_every, HAS_RUN_SAMPLE), INT_IF(sample_bytes, HAS_RUN_SAMPLE),
	INT(page_bytes), INT(l1_bytes), INT(l2_bytes), INT(l3_bytes), TEXT(caches), INT_IF(exit_code, HAS_RUN_EXIT_CODE),
	INT_IF(exit_signal, HAS_RUN_EXIT_SIGNAL), INT(keep_bytes), INT(keep_most),
};
#undef ROW
#define ROW struct row_node
static const struct column nodes[] = {
	ENUM(id), TEXT(cpus), INT_IF(mem_total_bytes, HAS_NODE_MEMORY), INT_IF(mem_free_bytes, HAS_NODE_MEMORY),
};
#undef ROW
#define ROW struct row_node_distance
static const struct column node_distances[] = {
	ENUM(from_node_id), ENUM(to_node_id), INT(distance),
};
#undef ROW
#define ROW struct row_cpu
static const struct column cpus[] = {
	ENUM(id), ENUM(node_id), ENUM(core), ENUM(socket),
};
#undef ROW
#define ROW struct row_pmu
static const struct column pmus[] = {
	ID(id), INT(type), TEXT(name), TEXT(cpus), TEXT(capabilities),
};
#undef ROW
#define ROW struct row_process
static const struct column processes[] = {
	ID(id), ID(parent_id), INT(pid), TEXT(exe), TEXT(command), TIME(start_ns), TIME(end_ns),
	BOOL(tracked),
};
#undef ROW
#define ROW struct row_thread
static const struct column threads[] = {
	ID(id), ID(process_id), INT(pid), INT(tid), TEXT(comm), TIME(start_ns), TIME(end_ns),
};
#undef ROW
#define ROW struct row_thread_affinity
static const struct column thread_affinities[] = {
	ID(id), ID(thread_id), TIME(time), TEXT(cpus), ENUM(node_id), TEXT(source),
};
#undef ROW
#define ROW struct row_comm
static const struct column comms[] = {
	ID(id), ID(thread_id), TIME(time), TEXT(comm), BOOL(exec), ENUM(tracked),
};
#undef ROW
#define ROW struct row_selected_event
static const struct column selected_events[] = {
	ID(id), TEXT(name), TEXT(role), INT(type), INT(config), INT(sample_type),
	INT_IF(sample_period, HAS_EVENT_PERIOD), INT_IF(sample_freq, HAS_EVENT_FREQ), TEXT(pmu),
	ID(leader_id),
};
#undef ROW
#define ROW struct row_dso
static const struct column dsos[] = {
	ID(id), TEXT(short_name), TEXT(long_name), TEXT(build_id), TEXT(kind), TEXT(state),
	BOOL(has_lines),
};
#undef ROW
#define ROW struct row_mapping
static const struct column mappings[] = {
	ID(id), ID(process_id), ID(dso_id), TIME(time), TIME(end_time), INT(address_start),
	INT(address_end), INT(file_offset), INT_IF(prot, HAS_MAPPING_PROT), INT(flags),
	TEXT(source),
};
#undef ROW
#define ROW struct row_symbol
static const struct column symbols[] = {
	ID(id), ID(dso_id), TEXT(name), TEXT(linkage_name), INT(sym_start), INT(sym_end),
};
#undef ROW
#define ROW struct row_file
static const struct column files[] = {
	ID(id), TEXT(path),
};
#undef ROW
#define ROW struct row_source_line
static const struct column source_lines[] = {
	ID(id), ID(file_id), INT(line), TEXT(text),
};
#undef ROW
#define ROW struct row_location
static const struct column locations[] = {
	ID(id), ID(dso_id), ID(symbol_id), ID(file_id), INT(offset),
	INT_IF(symbol_offset, HAS_LOCATION_SYMBOL_OFFSET), INT_IF(line, HAS_LOCATION_LINE),
	INT_IF(column, HAS_LOCATION_LINE), TEXT(function),
};
#undef ROW
#define ROW struct row_inlined_frame
static const struct column inlined_frames[] = {
	ID(id), ID(location_id), INT(depth), TEXT(function), ID(file_id), INT(line),
};
#undef ROW
#define ROW struct row_call_path
static const struct column call_paths[] = {
	ID(id), ID(parent_id), ID(location_id), ID(symbol_id), INT(depth), TEXT(kind),
};
#undef ROW
#define ROW struct row_type
static const struct column types[] = {
	ID(id), TEXT(name), TEXT(kind), INT(size_bytes),
};
#undef ROW
#define ROW struct row_member
static const struct column members[] = {
	ID(id), ID(type_id), TEXT(name), INT(offset), INT(size_bytes), TEXT(type),
};
#undef ROW
#define ROW struct row_object
static const struct column objects[] = {
	ID(id), TEXT(name), TEXT(kind), ID(dso_id), ID(symbol_id), ID(call_path_id),
	ID(location_id), ID(thread_id), ID(process_id), INT_IF(address_start, HAS_OBJECT_ADDRESS),
	INT(size_bytes), INT(allocations), INT(allocated_bytes), TEXT(function), TEXT(wrapper), ID(file_id),
	INT_IF(line, HAS_OBJECT_LINE), BOOL(estimated), ID(type_id), TEXT(type_source),
	INT_IF(type_start, HAS_OBJECT_TYPE), INT_IF(type_repeats, HAS_OBJECT_TYPE), ID(first_sample_id), ID(first_fault_id),
};
#undef ROW
#define ROW struct row_allocation
static const struct column allocations[] = {
	ID(id), ID(object_id), ID(process_id), ID(thread_id), ID(end_thread_id), ENUM(function),
	TIME(time), TIME(end_time), INT(address_start), INT(address_end), INT(size_bytes),
	ID(call_path_id), ID(end_call_path_id), ID(previous_id), ENUM(cpu), TEXT(end_reason),
	ENUM(stands_for),
};
#undef ROW
#define ROW struct row_block_cell
static const struct column block_cells[] = {
	ID(object_id), ID(thread_id), ID(end_thread_id), INT(size_bits),
	INT_IF(life_bits, HAS_BLOCK_LIFE), TEXT(end_reason), BOOL(hit), INT(blocks), INT(bytes),
	INT(stored),
};
#undef ROW
#define ROW struct row_instruction
#define KEY_COLUMN(kind, m) { #m, COLUMN_##kind, offsetof(ROW, key.m), HAS_OF_##kind(m) },
static const struct column instructions[] = {
	ID(id), INSTRUCTION_COLUMNS(KEY_COLUMN)
};
#undef ROW
#define ROW struct row_access_kind
static const struct column access_kinds[] = {
	ID(id), ACCESS_KIND_COLUMNS(KEY_COLUMN)
};
#undef ROW
#define ROW struct sample_data
#define DATA_COLUMN(kind, m) { #m, COLUMN_##kind, offsetof(ROW, m), HAS_OF_##kind(m) },
static const struct column fault_data[] = { ID(id), FAULT_DATA_COLUMNS(DATA_COLUMN) };
static const struct column sample_data[] = {
	ID(id), FAULT_DATA_COLUMNS(DATA_COLUMN) SAMPLE_DATA_COLUMNS(DATA_COLUMN)
};
#undef ROW
#define ROW struct row_other_wait
static const struct column other_waits[] = {
	ID(object_id), REAL(period), REAL(dealt),
};
#undef ROW
#define ROW struct row_page_home
static const struct column page_homes[] = {
	ID(id), ID(process_id), INT(time), INT(address_start), INT(address_end), INT(step_bytes),
	ENUM(node_id), TEXT(source),
};
#undef ROW
#define ROW struct row_policy_call
static const struct column policy_calls[] = {
	ID(id), ID(thread_id), INT(time), TEXT(function), INT_IF(address_start, HAS_POLICY_RANGE),
	INT_IF(address_end, HAS_POLICY_RANGE), TEXT(mode), INT(flags), TEXT(nodes), INT(result),
	ID(call_path_id),
};
#undef ROW
#define ROW struct row_tracepoint
static const struct column tracepoints[] = {
	ID(id), ID(evsel_id), ID(thread_id), ENUM(cpu), INT(time), TEXT(name), TEXT(fields),
	ID(call_path_id),
};
#undef ROW
#define ROW struct row_loss
static const struct column losses[] = {
	ID(id), TEXT(source), TEXT(what), INT(count), TEXT(detail),
};
#undef ROW
#define ROW struct row_cell
#define CELL_KEY \
	KEY_OF(code, ID, instruction_id), KEY_OF(code, ID, kind_id), KEY_OF(code, ID, thread_id), \
	KEY_OF(code, ID, object_id)
static const struct column fault_cells[] = { CELL_KEY, INT(samples) };
#define SAMPLE_SUMS \
	INT(samples), INT(period), REAL(period_sq), INT(weighted), INT(weighted_period), \
	REAL(latency), REAL(latency_sq)
static const struct column allocation_cells[] = {
	KEY_OF(block, ID, allocation_id), KEY_OF(block, ID, kind_id), SAMPLE_SUMS,
};
static const struct column sample_cells[] = { CELL_KEY, SAMPLE_SUMS };
static const struct column operation_cells[] = {
	KEY_OF(code, ID, instruction_id), KEY_OF(code, ID, thread_id), INT(samples), INT(period),
};
#undef ROW
#define ROW struct row_kind_total
static const struct column kind_totals[] = {
	TEXT(scope), ID(instruction_id), ID(object_id), ID(thread_id), ID(kind_id),
	INT(samples), REAL(period), REAL(period_sq), INT(weighted), REAL(weighted_period),
	REAL(latency), REAL(latency_sq),
};
#undef ROW
#define ROW struct row_total
#define COUNT_COLUMN(m) { #m, COLUMN_INT, offsetof(ROW, counts[COUNT_##m]), 0 },
#define ESTIMATE_COLUMN(m) { #m, COLUMN_REAL, offsetof(ROW, estimates[ESTIMATE_##m]), 0 },
static const struct column totals[] = {
	TEXT(scope), ID(instruction_id), ID(object_id), ID(thread_id), INT(threads), INT(writers),
	TOTAL_COUNTS(COUNT_COLUMN) TOTAL_ESTIMATES(ESTIMATE_COLUMN)
};
#undef ROW

#define TABLE(t, row) { #t, t, COUNT_OF(t), sizeof(struct row), 0 }
#define TABLE_HAS(t, row, has) { #t, t, COUNT_OF(t), sizeof(struct row), offsetof(struct row, has) }
/* clang-format on */

const struct table tables[TABLES] = {
	[TABLE_RUNS] = TABLE_HAS(runs, row_run, has),
	[TABLE_NODES] = TABLE_HAS(nodes, row_node, has),
	[TABLE_NODE_DISTANCES] = TABLE(node_distances, row_node_distance),
	[TABLE_CPUS] = TABLE(cpus, row_cpu),
	[TABLE_PMUS] = TABLE(pmus, row_pmu),
	[TABLE_PROCESSES] = TABLE(processes, row_process),
	[TABLE_THREADS] = TABLE(threads, row_thread),
	[TABLE_THREAD_AFFINITIES] = TABLE(thread_affinities, row_thread_affinity),
	[TABLE_COMMS] = TABLE(comms, row_comm),
	[TABLE_SELECTED_EVENTS] = TABLE_HAS(selected_events, row_selected_event, has),
	[TABLE_DSOS] = TABLE(dsos, row_dso),
	[TABLE_MAPPINGS] = TABLE_HAS(mappings, row_mapping, has),
	[TABLE_SYMBOLS] = TABLE(symbols, row_symbol),
	[TABLE_FILES] = TABLE(files, row_file),
	[TABLE_SOURCE_LINES] = TABLE(source_lines, row_source_line),
	[TABLE_LOCATIONS] = TABLE_HAS(locations, row_location, has),
	[TABLE_INLINED_FRAMES] = TABLE(inlined_frames, row_inlined_frame),
	[TABLE_CALL_PATHS] = TABLE(call_paths, row_call_path),
	[TABLE_TYPES] = TABLE(types, row_type),
	[TABLE_MEMBERS] = TABLE(members, row_member),
	[TABLE_OBJECTS] = TABLE_HAS(objects, row_object, has),
	[TABLE_ALLOCATIONS] = TABLE(allocations, row_allocation),
	[TABLE_INSTRUCTIONS] = TABLE_HAS(instructions, row_instruction, key.has),
	[TABLE_ACCESS_KINDS] = TABLE_HAS(access_kinds, row_access_kind, key.has),
	[TABLE_SAMPLE_DATA] = TABLE_HAS(sample_data, sample_data, has),
	[TABLE_FAULT_DATA] = TABLE_HAS(fault_data, sample_data, has),
	[TABLE_OTHER_WAITS] = TABLE(other_waits, row_other_wait),
	[TABLE_PAGE_HOMES] = TABLE(page_homes, row_page_home),
	[TABLE_POLICY_CALLS] = TABLE_HAS(policy_calls, row_policy_call, has),
	[TABLE_TRACEPOINTS] = TABLE(tracepoints, row_tracepoint),
	[TABLE_LOSSES] = TABLE(losses, row_loss),
	[TABLE_SAMPLE_CELLS] = TABLE(sample_cells, row_cell),
	[TABLE_FAULT_CELLS] = TABLE(fault_cells, row_cell),
	[TABLE_ALLOCATION_CELLS] = TABLE(allocation_cells, row_cell),
	[TABLE_BLOCK_CELLS] = TABLE_HAS(block_cells, row_block_cell, has),
	[TABLE_OPERATION_CELLS] = TABLE(operation_cells, row_cell),
	[TABLE_KIND_TOTALS] = TABLE(kind_totals, row_kind_total),
	[TABLE_TOTALS] = TABLE(totals, row_total),
};
