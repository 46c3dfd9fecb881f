# SPDX-License-Identifier: GPL-2.0-or-later
# Compares all records that are not samples, as `perf script -D` prints them in time order, with the database:
# mappings, names, births and ends of threads, and losses.
import re

from exceptions import excuse

TIME = 1 << 2
LINE = re.compile(r"^((?:-?\d+ )*)(?:0x[0-9a-f]+|0) \[0x[0-9a-f]+\]: PERF_RECORD_(\w+)(.*)$")
MAP = re.compile(r" (-?\d+)/(-?\d+): \[(0x[0-9a-f]+|0)\((0x[0-9a-f]+|0)\) @ (0x[0-9a-f]+|0)[^\]]*\]: (\S+) (.*)$")
TASK = re.compile(r"\((-?\d+):(-?\d+)\):\((-?\d+):(-?\d+)\)$")
KSYMBOL = re.compile(r" addr ([0-9a-f]+) len (\d+) type \d+ flags 0x([0-9a-f]+) name (.*)$")
COMM = re.compile(r"( exec)?: (.*):(-?\d+)/(-?\d+)$")


def signed(v):
    return v - (1 << 64) if v >= 1 << 63 else v


# Yields (kind, time, text) of each record in perf's output, the file `path`. The time is None if
# it is 0 or not recorded.
def records(path, timed):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        for line in f:
            m = LINE.match(line.rstrip("\n"))
            if m:
                numbers = m.group(1).split()
                time = int(numbers[-1]) if numbers and timed else 0
                yield m.group(2), time if time > 0 else None, m.group(3)


class Side:
    def __init__(self, db):
        self.db = db
        self.same, self.wrong = 0, []
        self.sums = {"lost events": 0, "lost samples": 0, "throttled": 0}
        self.starts = {}   # pid -> all addresses at which a mapping began
        self.origins = set()  # (file, address - offset) of every mapping that was recorded
        self.maps = self.by("pid", "time", "address_start", "file_offset", "name", rows=db.all("""
            SELECT coalesce(p.pid, -1) AS pid, m.time, m.address_start, m.address_end, m.file_offset, m.prot,
              d.long_name AS name
            FROM mappings AS m LEFT JOIN processes AS p ON p.id = m.process_id LEFT JOIN dsos AS d ON d.id = m.dso_id
            WHERE m.source = 'perf'"""))
        self.comms = self.by("pid", "tid", "time", "comm", "exec", rows=db.all("""
            SELECT t.pid, t.tid, nullif(c.time, 0) AS time, c.comm, c.exec
            FROM comms AS c JOIN threads AS t ON t.id = c.thread_id"""))
        self.threads = self.by("pid", "tid", rows=db.all("""
            SELECT t.pid, t.tid, t.start_ns, t.end_ns, parent.pid AS parent
            FROM threads AS t JOIN processes AS p ON p.id = t.process_id
            LEFT JOIN processes AS parent ON parent.id = p.parent_id"""))
        self.forks = {}      # (pid, tid) -> times and parents
        self.exits = {}    # (pid, tid) -> when it ended
        self.cuts = []     # (pid, address) at which a mapping ends before its time

    @staticmethod
    def by(*fields, rows):
        out = {}
        for r in rows:
            out.setdefault(tuple(r[f] for f in fields), []).append(r)
        return out

    def judge(self, good, what):
        if good:
            self.same += 1
        else:
            self.wrong.append(what)

    def on_map(self, kind, time, text):
        m = MAP.match(text)
        if not m:
            return self.judge(False, "not understood: " + text)
        pid, start, size, pgoff = int(m.group(1)), *(int(m.group(i), 16) for i in (3, 4, 5))
        name, prot = m.group(7), sum(bit for bit, c in ((1, "r"), (2, "w"), (4, "x")) if c in m.group(6))
        self.starts.setdefault(pid, set()).add(start)
        self.origins.add((name, start - pgoff & (1 << 64) - 1))
        if not size or start + size > 1 << 64:
            return excuse("a mapping of nothing, or beyond the last address")
        rows = self.maps.get((pid, time, signed(start), signed(pgoff), name), [])
        for r in rows:
            if (r["prot"] is None or r["prot"] & 7 == prot) and self.ends_well(r, pid, start + size):
                rows.remove(r)
                return self.judge(True, "")
        if name == "[heap]":
            return excuse("the heap grows in place")
        return self.judge(False, "mapping %d %s %s, memdb %s" % (pid, time, text, rows))

    # For code that the kernel generates, the database has a mapping from each record KSYMBOL. A record that
    # removes the code must end the mappings at its address.
    def on_ksymbol(self, kind, time, text):
        m = KSYMBOL.match(text)
        if not m:
            return self.judge(False, "not understood: " + text)
        start, size, name = int(m.group(1), 16), int(m.group(2)), m.group(4)
        self.starts.setdefault(-1, set()).add(start)
        if int(m.group(3), 16) & 1:
            return self.starts[-1].add(start + size)
        self.origins.add((name, start))
        rows = self.maps.get((-1, time, signed(start), 0, name), [])
        good = [r for r in rows if self.ends_well(r, -1, start + size)]
        if good:
            rows.remove(good[0])
        return self.judge(good, "kernel code %s %s, memdb %s" % (time, text, rows))

    # Returns whether a mapping of the database ends where the record says. It may end earlier if a later mapping
    # replaced its rest; that mapping is noted in self.cuts and checked at the end, because its record comes later.
    def ends_well(self, row, pid, end):
        ours = row["address_end"] & (1 << 64) - 1
        return ours == end & (1 << 64) - 1 or (ours < end and (self.cuts.append((pid, ours)) or True)) or \
            row["name"] == "[heap]"

    def on_comm(self, kind, time, text):
        m = COMM.match(text)
        key = (int(m.group(3)), int(m.group(4)), time, m.group(2), 1 if m.group(1) else 0)
        rows = self.comms.get(key, [])
        self.judge(rows, "comm %s" % (key,))
        if rows:
            rows.pop()

    def on_fork(self, kind, time, text):
        pid, tid, ppid, ptid = map(int, TASK.search(text).groups())
        self.forks.setdefault((pid, tid), []).append((time, None if pid == ppid else ppid))
        self.exits.pop((pid, tid), None)

    # perf may record the start of a process or thread that the kernel records, too. Then the database must have
    # one of the two.
    def judge_forks(self):
        for task, told in self.forks.items():
            rows = [(r["start_ns"], r["parent"]) for r in self.threads.get(task, [])]
            for time, parent in told:
                good = [start for start, p in rows if (parent is None or p == parent) and
                        start in (t for t, _ in told)]
                self.judge(time in good or (good and len(told) > len(good)),
                           "birth of %d/%d at %s, memdb %s" % (*task, time, rows))

    def on_exit(self, kind, time, text):
        pid, tid = map(int, TASK.search(text).groups()[:2])
        known = self.threads.get((pid, tid), [])
        if (pid, tid) in self.exits and any(r["end_ns"] == self.exits[pid, tid] for r in known):
            return excuse("an end told again, by another event")
        if not known:
            return excuse("the end of a thread of which nothing else was told")
        self.exits[pid, tid] = time
        good = [r for r in known if r["end_ns"] == time]
        self.judge(good, "exit %s %s, memdb %s" % (time, text, self.threads.get((pid, tid))))

    def on_loss(self, kind, time, text):
        if kind == "THROTTLE":
            self.sums["throttled"] += 1
        else:
            self.sums["lost events" if kind == "LOST" else "lost samples"] += int(re.search(r"(\d+)$", text).group(1))

    # Checks the rows of the database that match no record: each must follow from a record in
    # another way.
    def leftovers(self):
        for rows in self.maps.values():
            for r in rows:
                base = r["address_start"] - r["file_offset"] & (1 << 64) - 1
                self.judge((r["name"], base) in self.origins, "mapping in no record: %s" % r)
        for (pid, tid, time, comm, ex), rows in self.comms.items():
            if rows and time not in (t for t, _ in self.forks.get((pid, tid), [])) and (tid or comm != "swapper"):
                self.judge(False, "name in no record: %s" % rows)
        for pid, end in self.cuts:
            self.judge(end in self.starts[pid], "mapping of %d ends at %x, where nothing begins" % (pid, end))
        for what, n in self.sums.items():
            self.judge(self.db.lost(what) == n, "%s: perf %d, memdb %d" % (what, n, self.db.lost(what)))


def compare(db, path):
    side = Side(db)
    on = {"MMAP": side.on_map, "MMAP2": side.on_map, "COMM": side.on_comm, "FORK": side.on_fork,
          "EXIT": side.on_exit, "LOST": side.on_loss, "LOST_SAMPLES": side.on_loss, "THROTTLE": side.on_loss,
          "KSYMBOL": side.on_ksymbol}
    timed = db.one("SELECT coalesce(max(sample_type & %d), 0) FROM selected_events" % TIME)
    for kind, time, text in records(path, timed):
        if kind in on:
            on[kind](kind, time, text)
    side.judge_forks()
    side.leftovers()
    return side.same, side.wrong
