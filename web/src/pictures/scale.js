// SPDX-License-Identifier: GPL-2.0-or-later
// The scale below a picture that is drawn on a canvas: five labels, from the left edge to the right one.
import { colour } from '../dom.js';

export const SCALE_HEIGHT = 18; // CSS pixels

// Draws the labels below height y of a canvas of this width. text(x) returns the label at a
// position from 0 (left) to 1 (right).
export function scale(g, width, y, text) {
  g.globalAlpha = 1;
  g.fillStyle = colour('--muted');
  g.font = '11px system-ui, sans-serif';
  for (let k = 0; k <= 4; k++) {
    g.textAlign = k === 0 ? 'left' : k === 4 ? 'right' : 'center';
    g.fillText(text(k / 4), (k * width) / 4, y + 14);
  }
}
