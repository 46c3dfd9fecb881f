// SPDX-License-Identifier: GPL-2.0-or-later
// Charts over time, drawn by uPlot. Dragging selects a range of time.
import uPlot from 'uplot';
import { category, colour, h } from '../dom.js';
import { instants, percent } from '../format.js';

const ticks = (u, values) => instants(values, 6);

function axis(more) {
  const line = colour('--line');
  return {
    stroke: colour('--muted'), grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 },
    font: '11px system-ui, sans-serif', ...more,
  };
}

// Draws a chart with the cost of each slice of the run and the chosen range of time. If the reader
// chooses another range, choose(from, to) gets it in seconds, or (null, null) for the complete run.
export function strip(slices, { width, height = 64, length, from, to, choose, label }) {
  const box = h('div', { class: 'strip', role: 'img', 'aria-label': label });
  const step = length / slices.length;
  const at = slices.map((_, i) => (i + 0.5) * step);
  const plot = new uPlot({
    width, height, legend: { show: false }, padding: [4, 24, 0, 24],
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: { x: { time: false, range: [0, length] }, y: { range: (u, min, max) => [0, max || 1] } },
    axes: [axis({ size: 22, space: 90, values: ticks }), { show: false }],
    series: [{}, {
      paths: uPlot.paths.bars({ size: [0.9, 100] }), fill: colour('--hot'), stroke: colour('--hot'), width: 0, points: { show: false },
    }],
    hooks: {
      ready: [(u) => {
        if (from !== null || to !== null) {
          const left = u.valToPos(from ?? 0, 'x');
          u.setSelect({ left, top: 0, width: u.valToPos(to ?? length, 'x') - left, height: u.over.clientHeight }, false);
        }
      }],
      setSelect: [(u) => {
        if (u.select.width > 2) {
          const round = (px) => Math.min(length, Math.max(0, Number(u.posToVal(px, 'x').toFixed(4))));
          choose(round(u.select.left), round(u.select.left + u.select.width));
        }
      }],
    },
  }, [at, slices], box);
  plot.over.addEventListener('dblclick', () => choose(null, null));
  return box;
}

// Draws a point for each row { time_us, y, g }, which are in order of time: y is the offset in the
// object in millionths; g, the node or thread for example, decides the colour.
export function scatter(rows, { width, height = 300, groups, names, length, from, to, choose, label, yName }) {
  const box = h('div', { class: 'scatter', role: 'img', 'aria-label': label });
  const list = [...groups];
  const x = rows.map((r) => r.time_us / 1e6);
  const series = list.map((g) => rows.map((r) => (r.g === g ? r.y / 1e4 : null)));
  const size = rows.length > 20000 ? 1.6 : rows.length > 4000 ? 2.4 : 3.4;
  const dots = (u, s) => {
    const ctx = u.ctx;
    const d = u.data[s];
    const r = size * devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    ctx.fillStyle = u.series[s].stroke();
    ctx.globalAlpha = rows.length > 20000 ? 0.45 : 0.75;
    for (let i = 0; i < d.length; i++) {
      if (d[i] !== null) {
        ctx.fillRect(u.valToPos(u.data[0][i], 'x', true) - r / 2, u.valToPos(d[i], 'y', true) - r / 2, r, r);
      }
    }
    ctx.restore();
    return null;
  };
  new uPlot({
    width, height, legend: { show: false }, padding: [8, 8, 0, 0],
    cursor: { points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: { x: { time: false, range: [from ?? 0, to ?? length] }, y: { range: [0, 100] } },
    axes: [axis({ size: 28, space: 90, values: ticks }), axis({ size: 48, values: (u, v) => v.map((p) => percent(p, 0)), label: yName, labelSize: 16, labelFont: '11px system-ui, sans-serif' })],
    series: [{}, ...list.map((g, i) => ({ stroke: g === null ? colour('--muted') : category(names.place(g, i)), paths: dots, points: { show: false } }))],
    hooks: {
      setSelect: [(u) => {
        if (u.select.width > 2) {
          choose(Number(u.posToVal(u.select.left, 'x').toFixed(4)), Number(u.posToVal(u.select.left + u.select.width, 'x').toFixed(4)));
        }
      }],
    },
  }, [x, ...series], box);
  return h('div', {}, box, h('ul', { class: 'legend' }, list.slice(0, 16).map((g, i) => h('li', {},
    h('span', { class: 'swatch', 'aria-hidden': 'true', style: { background: g === null ? colour('--muted') : category(names.place(g, i)) } }), names.text(g))),
  list.length > 16 && h('li', {}, `and ${list.length - 16} more`)));
}

// Draws a bar of height w for each row { name, w }.
export function histogram(rows, { width, height = 220, label, xName, yName }) {
  const box = h('div', { role: 'img', 'aria-label': label });
  new uPlot({
    width, height, legend: { show: false }, padding: [8, 8, 0, 0], cursor: { show: false },
    scales: { x: { time: false, range: [-0.6, rows.length - 0.4] }, y: { range: (u, min, max) => [0, max || 1] } },
    axes: [axis({ size: 30, splits: rows.map((_, i) => i), values: () => rows.map((r, i) => (rows.length > 12 && i % 2 ? '' : r.name)), label: xName, labelSize: 16, labelFont: '11px system-ui, sans-serif' }),
      axis({ size: 52, label: yName, labelSize: 16, labelFont: '11px system-ui, sans-serif' })],
    series: [{}, { paths: uPlot.paths.bars({ size: [0.85, 100] }), fill: colour('--hot'), stroke: colour('--hot'), width: 0, points: { show: false } }],
  }, [rows.map((_, i) => i), rows.map((r) => r.w)], box);
  return box;
}
