-- SPDX-License-Identifier: GPL-2.0-or-later
-- What the selection is called, where report and page look for it.
INSERT INTO temp.selection (sentence) VALUES (:sentence);
