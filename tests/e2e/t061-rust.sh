#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves names and types in Rust: blocks of the standard containers have the name of the variable, also if a function
# returns it or moves it to a member of a new struct, and the type of the container's elements. The site is in the
# program and not in Rust's library. Each block has a different size, by which the test finds its object.
export RUSTUP_HOME="${RUSTUP_HOME-$HOME/.rustup}" # lib.sh changes HOME, where rustup finds its compilers
. "$(dirname "$0")/lib.sh"
need_perf
rustc --version >"$T/rustc" 2>&1 || skip "there is no Rust compiler"

cat >"$T/names.rs" <<'EOF2'
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Mutex;

static TABLE: [u64; 5000] = [3; 5000];
static mut COUNTS: [u32; 6000] = [0; 6000];

#[derive(Clone)]
pub struct Order { id: u64, price: f64, next: usize }

pub struct Book<'a> {
    orders: Vec<Order>,
    names: Vec<String>,
    index: HashMap<u64, u32>,
    top: Box<[u16; 35006]>,
    late: Vec<f32>,
    matrix: Matrix,
    title: &'a str,
}

pub struct Matrix { data: Vec<f64> }
pub struct Page { log: String }

impl Page {
    #[inline(never)]
    fn add(&mut self, n: u32) {
        use std::fmt::Write;
        write!(self.log, "{:>40000}{:>30007}", n, n).unwrap();
    }
}

impl Matrix {
    #[inline(never)]
    fn zeros(n: usize) -> Self {
        Self { data: vec![0.0; n] }
    }
}

impl<'a> Book<'a> {
    #[inline(never)]
    fn new(n: usize, title: &'a str) -> Book<'a> {
        let mut orders = Vec::with_capacity(n);
        for i in 0..n {
            orders.push(Order { id: i as u64, price: 1.0, next: i });
        }
        let mut map = HashMap::with_capacity(20000);
        map.insert(7, 8);
        Book {
            orders,
            names: vec!["x".repeat(70002); 3],
            index: map,
            top: Box::new([5; 35006]),
            late: Vec::new(),
            matrix: Matrix::zeros(8901),
            title,
        }
    }

    #[inline(never)]
    fn fill(&mut self, n: usize) {
        self.late.resize(n, 1.5);
    }
}

#[inline(never)]
fn make_grid(n: usize) -> Vec<Vec<f64>> {
    (0..n).map(|i| vec![i as f64; 8750]).collect()
}

#[inline(never)]
fn checked(n: usize) -> Option<Vec<u8>> {
    let bytes = vec![1u8; n];
    Some(bytes)
}

struct Writer { code: Vec<u8> }

impl Writer {
    #[inline(never)]
    fn put(&mut self, n: usize) {
        extend(n, &mut self.code);
    }
}

fn extend(n: usize, dst: &mut Vec<u8>) {
    dst.reserve(n);
    dst.resize(n, 7);
}

fn used<T>(x: &T) {
    std::hint::black_box(x);
}

#[inline(never)]
fn tally(rounds: usize) -> f64 {
    let mut cells = [1f64; 8192];
    let mut s = 0.0;
    for r in 0..rounds {
        for i in 0..8192 {
            let k = (i * 7919 + r) % 8192;
            s += cells[k];
            cells[k] += 0.5;
        }
    }
    s
}

fn main() {
    let mut book = Book::new(3000, "title");
    let grid = make_grid(3);
    let shared = Rc::new([7u64; 8801]);
    let boxed: Box<[u64]> = vec![1u64; 8802].into_boxed_slice();
    let mut queue: VecDeque<u32> = VecDeque::with_capacity(17603);
    let mut text = String::with_capacity(70004);
    let bytes = checked(70005).unwrap();
    let local = [9u64; 4000];
    let mut writer = Writer { code: Vec::new() };
    let mut page = Page { log: String::new() };
    let table = Mutex::new(Vec::new());
    let mut sum = 0;

    book.fill(17607);
    table.lock().unwrap().resize(8902, 1u64);
    writer.put(70006);
    page.add(7);
    queue.push_back(1);
    text.push_str(book.title);
    for o in &book.orders {
        sum += o.id + o.next as u64 + o.price as u64;
    }
    for k in 0..3000 {
        let i = (k * 7919) % 4000;
        sum += std::hint::black_box(&local)[i] + std::hint::black_box(&TABLE)[i];
        unsafe { COUNTS[i] = sum as u32 };
    }
    used(&book.names); used(&book.index); used(&book.top); used(&book.late); used(&book.matrix.data); used(&table);
    used(&writer.code); used(&page.log);
    used(&grid); used(&shared); used(&boxed); used(&queue); used(&text); used(&bytes);
    sum += tally(4000) as u64;
    unsafe { std::process::exit((COUNTS[3] == 1) as i32) };
}
EOF2

# block SIZE NAME TYPE [LINE]: checks the object that has a block of SIZE bytes. The line is one with this text.
block()
{
	assert_eq "$build: block of $1 bytes" "$2|$3" "$(sql "
		SELECT DISTINCT o.name, t.name FROM allocations a JOIN objects o ON o.id = a.object_id
		LEFT JOIN types t ON t.id = o.type_id WHERE a.size_bytes = $1")"
	[ -z "${4-}" ] || assert_eq "$build: its line" "$(grep -nF -- "$4" "$T/names.rs" | cut -d : -f 1)" "$(sql "
		SELECT DISTINCT o.line FROM allocations a JOIN objects o ON o.id = a.object_id WHERE a.size_bytes = $1")"
}

for build in "opt-level=0" "opt-level=2" "opt-level=3"; do
	rustc --edition 2021 -A warnings -g -C "$build" -o "$T/names" "$T/names.rs"
	record --all-blocks --sampler=timer "$T/names"
	block 72000 book.orders names::Order "Vec::with_capacity(n)"
	block 70002 book.names u8 '"x".repeat'
	block 70012 book.top u16 "Box::new"
	block 70428 book.late f32 "self.late.resize"
	block 70000 grid f64
	block 70424 shared "alloc::rc::RcInner<[u64; 8801]>" "Rc::new"
	block 70416 boxed u64 "into_boxed_slice"
	block 70412 queue u32 "VecDeque::with_capacity"
	block 70004 text u8
	block 70005 bytes u8
	# without optimisation, debug information does not describe the parameters of the library's functions
	block 70006 writer.code "$([ "$build" = opt-level=0 ] || echo u8)" "dst.reserve(n)"
	block 131072 page.log u8 "write!(self.log"
	block 71208 book.matrix.data f64 "vec![0.0; n]"
	block 71216 table u64 "table.lock()"
	# after its elements, a map has a byte for each of them
	assert_eq "$build: the map" "book.index|(u64, u32)|0" "$(sql "
		SELECT DISTINCT o.name, t.name, o.type_repeats FROM objects o LEFT JOIN types t ON t.id = o.type_id
		WHERE o.kind = 'heap' AND o.size_bytes > 500000")"
	assert_eq "$build: sites in the library" "" "$(sql "
		SELECT o.name FROM objects o JOIN files f ON f.id = o.file_id
		WHERE o.kind = 'heap' AND o.size_bytes > 60000 AND f.path NOT LIKE '%/names.rs'")"
	# LLVM describes the places of variables relative to a frame base with several operations
	assert_eq "$build: the array of a function" "tally::cells|f64" "$(sql "
		SELECT DISTINCT o.name, t.name FROM objects o LEFT JOIN types t ON t.id = o.type_id WHERE o.kind = 'stack' AND o.name LIKE '%tally::cells'")"
	assert_eq "$build: accesses to the frame of the function instead of the array" "" "$(sql "
		SELECT count(*) FROM samples s JOIN objects o ON o.id = s.object_id AND o.name LIKE '[frame of %tally]'
		JOIN symbols y ON y.id = s.symbol_id AND y.name LIKE '%tally%' WHERE s.object_offset BETWEEN 1000 AND 60000 HAVING count(*)")"
done
