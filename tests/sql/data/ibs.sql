-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of hardware.sql, but recorded with AMD IBS, which also recorded 992 operations without a memory access:
-- 600 at the first instruction of worker and 392 in main. By home, eq. 2 gives 530 / 1000 = 0.53 for the run; by data
-- source, it gives 500 / 1000.
.read data/hardware.sql
INSERT INTO operation_cells SELECT i.id, 2, iif(i.symbol_id = 1, 392, 600), iif(i.symbol_id = 1, 392, 600) * 1000
FROM instructions AS i WHERE i.symbol_id IS NOT NULL GROUP BY i.symbol_id;
