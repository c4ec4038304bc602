// Expanded groups as parts of a picture: their members, and the gates through which arrows enter and leave.

import type { Model } from './model';

/** The members of a part that arrows from elsewhere lead to, and those that arrows to elsewhere come from. */
export interface Gates {
  into: ReadonlySet<string>;
  out: ReadonlySet<string>;
}

/** A model with gates where it is a part of another one. */
export interface Part extends Model {
  gates: Gates;
}

/** What stands for everything outside of a part while it is laid out: arrows pass its members as they pass any box. */
export const GATES = { into: '\u0000into', out: '\u0000out' } as const;

export function gateRoute(gate: keyof typeof GATES, member: string): string {
  return `${GATES[gate]}→${member}`;
}

export function frames(model: Model): string[] {
  return [...model.boxes.values()].filter((box) => box.isExpanded).map((box) => box.id);
}

/** The members of an expanded group, and the arrows between them. */
export function membersOf(model: Model, id: string): Part {
  const boxes = new Map([...model.boxes].filter(([, box]) => box.parent === id));
  const outside = model.arrows.filter((each) => boxes.has(each.from) !== boxes.has(each.to));
  return {
    ...model,
    boxes,
    arrows: model.arrows.filter((each) => boxes.has(each.from) && boxes.has(each.to)),
    gates: {
      into: new Set(outside.map((each) => each.to).filter((end) => boxes.has(end))),
      out: new Set(outside.map((each) => each.from).filter((end) => boxes.has(end))),
    },
  };
}
