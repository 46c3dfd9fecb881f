/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes through owners (std::vector of pointers, in order; each owner a block of its own, 48 MiB
 * together, at random) to their accounts (32 MiB, at random) and from these to banks (64 KiB). If
 * owners are local, so are the accounts of these few owners. */
// object owners -DOWNER_MASK=15 *owners* owner*
// object accounts -DACCOUNT_MASK=15
// object banks -DBANK_MASK=15
// held out
#include "program.h"

#include <memory>
#include <vector>

enum { OWNERS = 1 << 20, ACCOUNTS = 1 << 20, BANKS = 1 << 12 };
#ifndef OWNER_MASK
#define OWNER_MASK (OWNERS - 1)
#endif
#ifndef ACCOUNT_MASK
#define ACCOUNT_MASK (ACCOUNTS - 1)
#endif
#ifndef BANK_MASK
#define BANK_MASK (BANKS - 1)
#endif

struct bank {
	double rate, fee;
};

struct account {
	long number;
	struct bank *bank;
	double balance, limit;
};

struct owner {
	long birthday;
	struct account *account;
	double score[2];
};

static std::vector<std::unique_ptr<owner>> owners;
static std::vector<owner *> customers;
static std::vector<account> accounts;
static std::vector<bank> banks;

extern "C" void init(void)
{
	banks.resize(BANKS, bank{ 0.5, 1 });
	accounts.resize(ACCOUNTS);
	for (auto &a : accounts)
		a = account{ 1, &banks[random_number() & BANK_MASK], 2, 3 };
	for (int i = 0; i < OWNERS; i++)
		owners.emplace_back(
			new owner{ i, &accounts[random_number() & ACCOUNT_MASK], { 1, 2 } });
	for (int i = 0; i < OWNERS; i++)
		customers.push_back(owners[random_number() & OWNER_MASK].get());
}

extern "C" double kernel(void)
{
	double sum = 0;

	for (int pass = 0; pass < 16; pass++)
		for (const owner *o : customers)
			if (o->account->bank->rate > pass)
				sum += o->account->balance * o->account->bank->fee;
			else
				sum += o->account->limit;
	return sum;
}
