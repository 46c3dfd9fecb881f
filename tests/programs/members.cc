// SPDX-License-Identifier: GPL-2.0-or-later
// Classes in C++: new and new[], containers of the library, templates, base classes, namespaces.
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "members.h"

constexpr int N = 1 << 10;

namespace market
{
struct Order {
	int id;
	double price;
	char side;
	long amount;
};
} // namespace market

using market::Order;

struct Base {
	virtual ~Base()
	{
	}
	long born = 1;
};

struct Body : Base {
	double mass = 1;
	double speed[3] = { 1, 2, 3 };
};

template <typename T> class Grid
{
      public:
	explicit Grid(int n) : size(n), cells(new T[n]())
	{
	}
	~Grid()
	{
		delete[] cells;
	}
	int size;
	T *cells;
};

struct Named { // new Named[n] stores n before the array, because there are destructors to call
	std::string name;
	int hits = 0;
};

#define ORDERS(name, p, n) \
	WORK(name, "Order", sizeof(Order), 0, p, (n) * sizeof(Order), trade(p, n))

NOINLINE static void trade(Order *o, long n)
{
	double sum = 0;

	for (long i = 0; i < n; i++) {
		o[i].amount++;
		sum += o[i].price * (o[i].side ? 1 : 2);
	}
	sink += sum;
}

NOINLINE static void fly(Body *const *all, int n)
{
	for (int i = 0; i < n; i++)
		all[i]->mass += all[i]->speed[2];
}

NOINLINE static void hit(Named *all, int n)
{
	for (int i = 0; i < n; i++)
		all[i].hits++;
}

NOINLINE static double sum_list(const std::list<Order> &l)
{
	double sum = 0;

	for (const Order &o : l)
		sum += o.price;
	return sum;
}

NOINLINE static double sum_map(std::map<int, Order> &m)
{
	double sum = 0;

	for (auto &e : m)
		sum += ++e.second.amount;
	return sum;
}

NOINLINE static double sum_shared(const std::vector<std::shared_ptr<Order>> &all)
{
	double sum = 0;

	for (const auto &o : all)
		sum += ++o->amount * o->price;
	return sum;
}

NOINLINE static double sum_numbers(const std::list<double> &all)
{
	double sum = 0;

	for (double x : all)
		sum += x;
	return sum;
}

static void tell_parts()
{
	PART("Order", Order, id);
	PART("Order", Order, price);
	PART("Order", Order, side);
	PART("Order", Order, amount);
	printf("part Body _vptr.Base 0 8\npart Body born 8 8\npart Body mass 16 8\npart Body speed "
	       "24 24\n");
	printf("part Named name 0 32\npart Named hits 32 4\n");
	printf("part list _M_next 0 8\npart list _M_prev 8 8\npart list id 16 4\npart list price "
	       "24 8\n");
	printf("part list side 32 1\npart list amount 40 8\n");
	printf("part map _M_color 0 4\npart map _M_parent 8 8\npart map _M_left 16 8\npart map "
	       "_M_right 24 8\n");
	printf("part map first 32 4\npart map second.id 40 4\npart map second.price 48 8\n");
	printf("part map second.side 56 1\npart map second.amount 64 8\n");
	printf("part shared id 16 4\npart shared price 24 8\npart shared side 32 1\n");
	printf("part shared amount 40 8\n");
	printf("part numbers _M_next 0 8\npart numbers _M_prev 8 8\npart numbers _M_storage 16 "
	       "8\n");
}

// Works on a linked structure, and then prints each node as an array of its own, because the nodes
// are separate blocks.
template <typename Work, typename Each>
static void work_nodes(const char *name, const char *type, size_t bytes, Work work, Each each)
{
	const int64_t from = now_ns();
	budget left = budget_of(budget_ns);

	do {
		for (int round = 0; round < 20; round++)
			work();
	} while (budget_lasts(&left));
	tell_typed(name, type, bytes, 0);
	each([&](const void *node) {
		tell_array(name, node, bytes, gettid_now(), from, now_ns());
	});
}

int main(int argc, char **argv)
{
	Order *orders = new Order[N]();
	auto once = std::make_unique<Order[]>(N);
	std::vector<Order> book(N);
	Grid<Order> grid(N);
	std::list<Order> queue(N);
	std::map<int, Order> ledger;
	std::vector<std::shared_ptr<Order>> shared;
	std::list<double> numbers(N, 1.5);
	Body *bodies[256];
	Named *named = new Named[N];

	budget_ns = work_ns(argc, argv, 0.05);
	for (int i = 0; i < 256; i++)
		bodies[i] = new Body;
	for (int i = 0; i < N; i++)
		ledger[i].id = i;
	for (int i = 0; i < N; i++)
		shared.push_back(std::make_shared<Order>());
	tell_parts();
	ORDERS("orders", orders, N);
	ORDERS("once", once.get(), N);
	ORDERS("book", book.data(), N);
	ORDERS("cells", grid.cells, N);
	WORK("named", "Named", sizeof(Named), 8, (char *)named - 8, N * sizeof(Named) + 8,
	     hit(named, N));
	work_nodes(
		"bodies", "Body", sizeof(Body), [&] { fly(bodies, 256); },
		[&](auto tell) {
			for (Body *b : bodies)
				tell(b);
		});
	work_nodes(
		"queue", "list", 48, [&] { sink += sum_list(queue); },
		[&](auto tell) {
			for (Order &o : queue)
				tell((char *)&o - 16);
		});
	work_nodes(
		"shared", "shared", 48, [&] { sink += sum_shared(shared); },
		[&](auto tell) {
			for (auto &o : shared)
				tell((char *)o.get() - 16);
		});
	work_nodes(
		"numbers", "numbers", 24, [&] { sink += sum_numbers(numbers); },
		[&](auto tell) {
			for (double &x : numbers)
				tell((char *)&x - 16);
		});
	work_nodes(
		"ledger", "map", 72, [&] { sink += sum_map(ledger); },
		[&](auto tell) {
			for (auto &e : ledger)
				tell((char *)&e - 32);
		});
	return 0;
}
