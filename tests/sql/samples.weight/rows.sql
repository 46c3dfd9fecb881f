-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/timer.sql
UPDATE sample_data SET weight = 0;
