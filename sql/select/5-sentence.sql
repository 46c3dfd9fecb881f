-- SPDX-License-Identifier: GPL-2.0-or-later
-- Stores the sentence that describes the selection. The report and the HTML page read it.
INSERT INTO temp.selection (sentence) VALUES (:sentence);
