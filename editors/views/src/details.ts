// What is told of the selected box beside the picture.

import { html } from './chrome';
import type { Cause, Range } from './data';
import { objects } from './draw';
import type { Rectangle } from './layout';
import type { Box, Model } from './model';

const CORNERS = ['bottom right', 'bottom left', 'top right', 'top left'] as const;
/** How far the panel stands from the edges, as the style has it. */
const MARGIN = 14;

/** The corner of the canvas in which a panel covers the fewest of the places, all in pixels of the screen. */
export function freestCorner(panel: Size, canvas: Size, places: readonly Rectangle[]): (typeof CORNERS)[number] {
  const covered = CORNERS.map((corner) => {
    const left = corner.endsWith('left') ? MARGIN : canvas.width - MARGIN - panel.width;
    const top = corner.startsWith('top') ? MARGIN : canvas.height - MARGIN - panel.height;
    return places.filter(({ x, y, width, height }) => x < left + panel.width && left < x + width && y < top + panel.height && top < y + height).length;
  });
  return CORNERS[covered.indexOf(Math.min(...covered))] ?? CORNERS[0];
}

interface Size {
  width: number;
  height: number;
}

export function detailsOf(box: Box, model: Model, reveal: (range: Range) => void): Node[] {
  const { state } = box;
  const told = state ? [html('p', {}, `${state.state}, ${objects(state.objects)}${state.reason ? `: ${state.reason}` : ''}`)] : [];
  const needs = model.arrows.filter((each) => each.to === box.id).flatMap((each) => each.causes);
  const users = model.arrows.filter((each) => each.from === box.id).flatMap((each) => each.causes.map((cause) => ({ ...cause, by: each.to })));
  return [
    html('h2', {}, box.title),
    html('p', {}, [box.subtitle, box.wave === null ? '' : `wave ${box.wave}`].filter(Boolean).join(' · ')),
    ...told,
    ...list('Reads', needs, (cause) => cause.path, reveal),
    ...list('Read by', users, (cause) => `${cause.by} · ${cause.path}`, reveal),
  ];
}

function list<Each extends Cause>(title: string, causes: Each[], where: (cause: Each) => string, reveal: (range: Range) => void): Node[] {
  if (causes.length === 0) {
    return [];
  }
  const items = causes.map((cause) => {
    const line = html('button', { type: 'button' }, html('code', {}, cause.expression), html('small', {}, where(cause)));
    line.addEventListener('click', () => {
      reveal(cause.range);
    });
    return html('li', {}, line);
  });
  return [html('h3', {}, title), html('ul', {}, ...items)];
}
