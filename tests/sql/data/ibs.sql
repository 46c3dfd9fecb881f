-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of hardware.sql as if AMD's IBS had taken them, with 992 operations that touched no memory, 600 of them in
-- worker (its first instruction), 392 in main: eq. 2 by home gives 530 / 1000 = 0.53 for the run; by the data source 500 / 1000.
.read data/hardware.sql
INSERT INTO operation_cells SELECT i.id, 2, iif(i.symbol_id = 1, 392, 600), iif(i.symbol_id = 1, 392, 600) * 1000
FROM instructions AS i WHERE i.symbol_id IS NOT NULL GROUP BY i.symbol_id;
