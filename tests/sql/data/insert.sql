-- SPDX-License-Identifier: GPL-2.0-or-later
-- Triggers that let a test insert into the views samples and page_faults.
CREATE TEMP TRIGGER insert_sample INSTEAD OF INSERT ON main.samples
BEGIN
  INSERT INTO instructions (ip, location_id, symbol_id, dso_id)
  SELECT new.ip, new.location_id, new.symbol_id, new.dso_id
  WHERE NOT EXISTS (SELECT 1 FROM instructions
    WHERE (ip, location_id, symbol_id, dso_id) IS (new.ip, new.location_id, new.symbol_id, new.dso_id));
  INSERT INTO access_kinds (evsel_id, addr_source, addr_reason, data_src, memory_opcode, memory_level, memory_snoop,
    memory_lock, memory_dtlb, memory_blocked, remote, hops, access_bytes, page_bytes, step, object_reason, cpu_node_id,
    home_node_id, home_source, waited, time_kind, missed, thread_pinned, page_pinned, reused)
  SELECT new.evsel_id, new.addr_source, new.addr_reason, new.data_src, new.memory_opcode, new.memory_level,
    new.memory_snoop, new.memory_lock, new.memory_dtlb, new.memory_blocked, new.remote, new.hops, new.access_bytes,
    new.page_bytes, new.step, new.object_reason, new.cpu_node_id, new.home_node_id, new.home_source, new.waited, new.time_kind, new.missed,
    new.thread_pinned, new.page_pinned, new.reused;
  INSERT INTO sample_data
  SELECT new.id, new.time, new.thread_id, new.cpu,
    (SELECT id FROM instructions
     WHERE (ip, location_id, symbol_id, dso_id) IS (new.ip, new.location_id, new.symbol_id, new.dso_id)),
    (SELECT max(id) FROM access_kinds), new.call_path_id, new.address, new.object_id, new.allocation_id,
    new.object_offset, new.period, new.weight, new.ins_lat, new.phys_address;
END;
CREATE TEMP TRIGGER insert_page_fault INSTEAD OF INSERT ON main.page_faults
BEGIN
  INSERT INTO instructions (ip, location_id, symbol_id, dso_id, caller_id, called_id)
  VALUES (new.ip, new.location_id, new.symbol_id, new.dso_id, new.caller_id, new.called_id);
  INSERT INTO access_kinds (evsel_id, object_reason, memory_opcode, page_bytes, cpu_node_id, home_node_id, home_source,
    first, thread_pinned, page_pinned, reused)
  VALUES (new.evsel_id, new.object_reason, new.memory_opcode, new.page_bytes, new.cpu_node_id, new.home_node_id,
    new.home_source, new.first, new.thread_pinned, new.page_pinned, new.reused);
  INSERT INTO fault_data
  SELECT new.id, new.time, new.thread_id, new.cpu, (SELECT max(id) FROM instructions),
    (SELECT max(id) FROM access_kinds), new.call_path_id, new.address, new.object_id, new.allocation_id,
    new.object_offset;
END;
