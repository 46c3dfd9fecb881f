/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cfi.h"

#include "cfi_program.h"
#include "cfi_read.h"

const struct cfi_machine cfi_x86_64 = { .sp = 7, .fp = 6, .aux = 3, .ra = 16, .pc = 16 };
const struct cfi_machine cfi_aarch64 = { .sp = 31, .fp = 29, .aux = 30, .ra = 30, .pc = 255 };

/*
 * Returns the contents of the entry of .eh_frame (a CIE or an FDE) whose length field is at this
 * address; the length field is not included.
 */
static __attribute__((noinline)) struct cursor entry_at(const struct cfi_image *image,
							uint64_t address)
{
	struct cursor all = cursor_make(image->bytes, image->size, false);
	struct cursor c = cursor_range(&all, image->bytes, address - image->address,
				       image->size - (address - image->address));
	uint64_t length = cursor_u32(&c);
	struct cursor body;

	if (length == 0xffffffff)
		length = cursor_u64(&c);
	body = cursor_range(&c, c.p, 0, length);
	body.failed |= c.failed || !length; /* a length of 0 marks the end of the section */
	return body;
}

static void read_augmentation(struct cie *cie, struct cursor *c, const char *letters)
{
	struct cursor data;
	uint64_t len;

	if (*letters != 'z') {
		c->failed |= *letters != 0;
		return;
	}
	cie->sized = true;
	len = read_uleb(c);
	data = cursor_range(c, c->p, 0, len);
	while (*++letters && !data.failed) {
		if (*letters == 'R')
			cie->fde_encoding = cursor_u8(&data);
		else if (*letters == 'L')
			cursor_skip(&data, 1);
		else if (*letters == 'S')
			cie->signal = true;
		else if (*letters == 'P')
			skip_pointer(&data);
		/* no data follow the letters 'B' and 'G', which AArch64 uses */
		else if (*letters != 'B' && *letters != 'G')
			/* The letter, and the data that belong to it, are unknown. But the total
			 * length of the data is known, so all of it can be skipped. */
			break;
	}
	c->failed |= data.failed;
	cursor_skip(c, len);
}

/* Reads the CIE at this address of the image into *cie. Returns false if there is no CIE of a
 * supported form at this address, or if the CIE's return-address register is not that of this
 * machine. */
static bool read_cie(struct cie *cie, const struct cfi_machine *m, const struct cfi_image *image,
		     uint64_t address)
{
	struct cursor *c = &cie->program; /* not a variable here, because the stack may be small */
	const char *letters;
	uint8_t version;
	uint64_t ra;
	uint32_t id;

	memset(cie, 0, sizeof(*cie));
	cie->fde_encoding = PE_ABSPTR;
	*c = entry_at(image, address);
	id = cursor_u32(c);
	version = cursor_u8(c);
	letters = (const char *)c->p;
	while (cursor_u8(c)) {
	}
	if (c->failed || id || (version != 1 && version != 3))
		return false;
	cie->code_align = read_uleb(c);
	cie->data_align = read_sleb(c);
	ra = version == 1 ? cursor_u8(c) : read_uleb(c);
	read_augmentation(cie, c, letters);
	return !c->failed && ra == m->ra;
}

/*
 * Runs the unwind programs of the CIE (in r->cie) and then of the FDE (in r->c), and returns the
 * rule for pc. The code that the FDE covers begins at `start`.
 */
static struct cfi_rule interpret_rule(const struct cfi_machine *m, const struct cfi_image *image,
				      struct cfi_reading *r, uint64_t start, uint64_t pc)
{
	r->run = (struct cfi_run){ .machine = m,
				   .image = image,
				   .code_align = r->cie.code_align,
				   .data_align = r->cie.data_align,
				   .encoding = r->cie.fde_encoding,
				   .loc = start,
				   .pc = pc };
	r->run.row.cfa.form = FORM_LOST;
	/* On x86-64, some rule must define where the return address is saved. FORM_KEPT marks that
	 * no rule has done so yet. If it is still there at the end, cfi_rule_of() returns CFI_NONE,
	 * and not CFI_OUTERMOST. */
	r->run.row.saved[T_RA].form = FORM_KEPT;
	cfi_run_program(&r->run, &r->cie.program);
	r->run.initial = r->run.row;
	cfi_run_program(&r->run, &r->c);
	if (r->run.failed)
		return (struct cfi_rule){ .kind = CFI_NONE };
	return cfi_rule_of(m, &r->run.row, r->cie.signal);
}

/* Reads the FDE at this address up to its program; then r->c points to the program. Returns whether
 * the FDE covers pc. If so, *start is the address at which its code begins. */
static __attribute__((noinline)) bool read_fde(const struct cfi_machine *m,
					       const struct cfi_image *image, uint64_t fde,
					       uint64_t pc, struct cfi_reading *r, uint64_t *start)
{
	struct cursor *c = &r->c;
	uint64_t id_at, size;
	uint32_t id;

	*c = entry_at(image, fde);
	id_at = address_of(image, c->p);
	id = cursor_u32(c);
	if (c->failed || !id || !read_cie(&r->cie, m, image, id_at - id))
		return false;
	*start = read_encoded(c, image, r->cie.fde_encoding, 0);
	size = read_plain(c, r->cie.fde_encoding & 0x0f);
	if (r->cie.sized)
		cursor_skip(c, read_uleb(c));
	return !c->failed && pc >= *start && pc - *start < size;
}

/*
 * Returns the address of the last FDE in the table whose code starts at or below pc; 0 if there is
 * no such FDE.
 */
static uint64_t search_table(const struct cursor *table, uint64_t count, uint64_t base, uint64_t pc)
{
	uint64_t lo = 0;
	uint64_t hi = count;
	struct cursor c;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		c = cursor_range(table, table->p, mid * 8, 8);
		if (base + (uint64_t)(int64_t)(int32_t)cursor_u32(&c) <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return 0;
	c = cursor_range(table, table->p, (lo - 1) * 8 + 4, 4);
	return base + (uint64_t)(int64_t)(int32_t)cursor_u32(&c);
}

/* Returns the address of the FDE that may cover pc; 0 if there is no such FDE, or no search table
 * of the usual form. */
static __attribute__((noinline)) uint64_t find_fde(const struct cfi_image *image, uint64_t hdr,
						   uint64_t pc)
{
	struct cursor all = cursor_make(image->bytes, image->size, false);
	struct cursor c = cursor_range(&all, image->bytes, hdr, image->size - hdr);
	uint64_t base = image->address + hdr;
	uint8_t version = cursor_u8(&c);
	uint8_t frame_encoding = cursor_u8(&c);
	uint8_t count_encoding = cursor_u8(&c);
	uint8_t table_encoding = cursor_u8(&c);
	uint64_t count;

	if (c.failed || version != 1 || table_encoding != (PE_DATAREL | PE_SDATA4))
		return 0;
	(void)read_encoded(&c, image, frame_encoding, base);
	count = read_encoded(&c, image, count_encoding, base);
	if (c.failed || count > cursor_left(&c) / 8)
		return 0;
	return search_table(&c, count, base, pc);
}

struct cfi_rule cfi_find(const struct cfi_machine *m, const struct cfi_image *image, uint64_t hdr,
			 uint64_t ra, struct cfi_reading *r)
{
	uint64_t fde = find_fde(image, hdr, ra - 1), start;

	if (!fde || !read_fde(m, image, fde, ra - 1, r, &start))
		return (struct cfi_rule){ .kind = CFI_NONE };
	return interpret_rule(m, image, r, start, ra - 1);
}
