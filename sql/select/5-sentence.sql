-- SPDX-License-Identifier: GPL-2.0-or-later
-- Stores the sentence that describes the selected samples, which the report and the HTML page print.
INSERT INTO temp.selection (sentence) VALUES (:sentence);
